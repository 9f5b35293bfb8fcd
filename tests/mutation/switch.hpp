// SPDX-License-Identifier: GPL-2.0-or-later
// Changes that are compiled into one build, of which a program makes the one that NVL72BLOCK_MUTANT
// names. `a < b` is written `a < mutation::Less<7>{} < b`: precedence and grouping stay as they
// are, whatever the operands, and change 7 reads `a <= b`.
#pragma once

#include <algorithm>
#include <cstdlib>

namespace mutation {

// From 1; 0: none.
inline const int chosen = [] {
    const char* text = std::getenv("NVL72BLOCK_MUTANT");
    return text == nullptr ? 0 : std::atoi(text);
}();

template <int N>
bool made() {
    return chosen == N;
}

// NAME<N>: the operator `op`, or `other` where both operands bear it.
#define NVL72BLOCK_MUTATION(NAME, op, other)                                          \
    template <int N>                                                                  \
    struct NAME {};                                                                   \
    template <int N, class A>                                                         \
    struct NAME##Left {                                                               \
        const A& left;                                                                \
    };                                                                                \
    template <int N, class A>                                                         \
    NAME##Left<N, A> operator op(const A& left, NAME<N> /*change*/) {                 \
        return {left};                                                                \
    }                                                                                 \
    template <int N, class A, class B>                                                \
    auto operator op(NAME##Left<N, A> a, const B& right)->decltype(a.left op right) { \
        if constexpr (requires { a.left other right; }) {                             \
            return made<N>() ? a.left other right : a.left op right;                  \
        } else {                                                                      \
            return a.left op right;                                                   \
        }                                                                             \
    }

NVL72BLOCK_MUTATION(Less, <, <=)
NVL72BLOCK_MUTATION(LessOrEqual, <=, <)
NVL72BLOCK_MUTATION(Greater, >, >=)
NVL72BLOCK_MUTATION(GreaterOrEqual, >=, >)
NVL72BLOCK_MUTATION(Equal, ==, !=)
NVL72BLOCK_MUTATION(Unequal, !=, ==)
NVL72BLOCK_MUTATION(Plus, +, -)
NVL72BLOCK_MUTATION(Minus, -, +)
NVL72BLOCK_MUTATION(Times, *, +)
NVL72BLOCK_MUTATION(Divided, /, *)
NVL72BLOCK_MUTATION(Remainder, %, /)
#undef NVL72BLOCK_MUTATION

// `a += mutation::Add<7>{} += b` and its counterpart.
#define NVL72BLOCK_MUTATION(NAME, op, other)                            \
    template <int N>                                                    \
    struct NAME {};                                                     \
    template <int N, class B>                                           \
    struct NAME##Right {                                                \
        const B& right;                                                 \
    };                                                                  \
    template <int N, class B>                                           \
    NAME##Right<N, B> operator op(NAME<N> /*change*/, const B& right) { \
        return {right};                                                 \
    }                                                                   \
    template <int N, class A, class B>                                  \
    A& operator op(A& left, NAME##Right<N, B> b) {                      \
        if constexpr (requires { left other b.right; }) {               \
            if (made<N>()) return left other b.right;                   \
        }                                                               \
        return left op b.right;                                         \
    }

NVL72BLOCK_MUTATION(Add, +=, -=)
NVL72BLOCK_MUTATION(Subtract, -=, +=)
#undef NVL72BLOCK_MUTATION

// `(mutation::Not<7>{} ->* x)` for `(!x`: a call or an index behind x still comes first.
template <int N>
struct Not {};
template <int N, class A>
bool operator->*(Not<N> /*change*/, const A& value) {
    return made<N>() == static_cast<bool>(value);
}

template <int N, class A>
A value(A plain, A changed) {
    return made<N>() ? changed : plain;
}

template <int N, class A>
A least(const A& a, const A& b) {
    return made<N>() ? std::max(a, b) : std::min(a, b);
}

template <int N, class A>
A most(const A& a, const A& b) {
    return made<N>() ? std::min(a, b) : std::max(a, b);
}

}  // namespace mutation
