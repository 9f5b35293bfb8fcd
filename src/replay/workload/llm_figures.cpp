// SPDX-License-Identifier: GPL-2.0-or-later
//
// Written by tests/bench/draw_figures.py from 319 recorded jobs.
#include "replay/workload/generator.hpp"

namespace nvl72block::replay {
namespace {

constexpr std::array gpus_1 = {SizeClass::Size{1, 29}};
constexpr std::array gpus_2 = {SizeClass::Size{2, 41}};
constexpr std::array gpus_8 = {SizeClass::Size{8, 19}, SizeClass::Size{16, 11}};
constexpr std::array gpus_32 = {SizeClass::Size{32, 14}, SizeClass::Size{64, 22},
                                SizeClass::Size{96, 3}, SizeClass::Size{128, 3}};
constexpr std::array gpus_256 = {SizeClass::Size{256, 52}};
constexpr std::array gpus_296 = {SizeClass::Size{296, 1}, SizeClass::Size{320, 1},
                                 SizeClass::Size{496, 4}, SizeClass::Size{504, 7}};
constexpr std::array gpus_512 = {SizeClass::Size{512, 73}};
constexpr std::array gpus_1016 = {SizeClass::Size{1016, 1}, SizeClass::Size{1024, 38}};

constexpr std::array classes = {
    SizeClass{gpus_1, {20,  20,  21,  22,   23,    25,    26,    28,    40,    92,
                       236, 322, 656, 2382, 36459, 36459, 36459, 36459, 36459, 36459}},
    SizeClass{gpus_2, {14,  14,  16,  18,  28,  45,  59,  191, 263, 277,
                       340, 359, 371, 374, 379, 404, 404, 404, 404, 404}},
    SizeClass{gpus_8, {18,  18,  19,   24,   30,   34,   142,  252,  273,  349,
                       362, 678, 1953, 3262, 3346, 3346, 3346, 3346, 3346, 3346}},
    SizeClass{gpus_32,
              {17,    17,    18,     19,     21,     63,     81,     331,    340,    1984,
               39059, 83779, 143113, 161288, 215225, 232821, 232821, 232821, 232821, 232821}},
    SizeClass{gpus_256,
              {20,    20,    28,    31,     34,     332,    342,    357,    2293,   14746,
               48047, 69967, 89307, 217412, 222290, 222290, 275690, 275690, 275690, 275690}},
    SizeClass{gpus_296,
              {124,   124,    124,    201,    340,    345,    2042,   3303,   12700,  19861,
               82209, 122714, 122714, 625740, 625740, 625740, 625740, 625740, 625740, 625740}},
    SizeClass{gpus_512,
              {31,    31,    59,    63,    75,     151,    333,    761,    2341,   6377,
               15089, 24936, 31586, 60633, 115199, 156562, 175094, 175094, 175094, 175094}},
    SizeClass{gpus_1016, {22,  22,   23,   24,    37,    39,    73,    108,   310,   340,
                          934, 2139, 3595, 94612, 94612, 96162, 96162, 96162, 96162, 96162}}};

}  // namespace

const LogFigures& llm_figures() {
    static constexpr LogFigures figures{
        classes,
        91,
        {0, 0, 0, 0, 0, 0, 1, 1, 2, 4, 5, 6, 8, 13, 27, 31, 33, 33, 33, 33},
        {35, 14, 24, 15, 28, 26, 12, 10, 4, 6, 2, 3, 3, 3, 2, 5, 9, 13, 19, 18, 15, 31, 14, 8},
        2000};
    return figures;
}

}  // namespace nvl72block::replay
