// SPDX-License-Identifier: GPL-2.0-or-later
//
// Written by tests/bench/draw_figures.py from 82176 recorded jobs.
#include "replay/workload/generator.hpp"

namespace nvl72block::replay {
namespace {

constexpr std::array gpus_1 = {SizeClass::Size{1, 76595}};
constexpr std::array gpus_2 = {SizeClass::Size{2, 1818}};
constexpr std::array gpus_4 = {SizeClass::Size{4, 1864}};
constexpr std::array gpus_8 = {SizeClass::Size{8, 1621}};
constexpr std::array gpus_12 = {SizeClass::Size{12, 7}, SizeClass::Size{16, 188},
                                SizeClass::Size{24, 7}};
constexpr std::array gpus_32 = {SizeClass::Size{32, 67}, SizeClass::Size{64, 6},
                                SizeClass::Size{128, 3}};

constexpr std::array classes = {
    SizeClass{gpus_1, {1,    30,   52,   62,    76,    215,   600,    1115,   1725,   2462,
                       3741, 5330, 8466, 18940, 43451, 66765, 128481, 248247, 688056, 2601226}},
    SizeClass{gpus_2,
              {2,   5,     9,     11,     15,     17,     19,     21,     25,      33,
               150, 22366, 73625, 197392, 268985, 343945, 526030, 810065, 1521148, 2582803}},
    SizeClass{gpus_4,
              {3,      35,     75,     136,    395,    1694,   7405,   17358,   36133,   78189,
               104514, 148718, 183418, 265045, 438264, 515829, 794178, 1192621, 2641566, 2750674}},
    SizeClass{gpus_8,
              {1,      33,     109,    211,    754,    3709,   11883,  23188,   59229,   133844,
               197531, 229655, 316836, 464032, 591972, 722186, 925423, 1102767, 2126975, 2214025}},
    SizeClass{gpus_12,
              {2,      20,     40,     55,     272,    465,    2753,    21077,   62366,   99438,
               163599, 187899, 237377, 335284, 353444, 534468, 1152387, 1369876, 1710643, 1710643}},
    SizeClass{gpus_32,
              {1,     1,     4,     365,   880,    1255,   2510,   4619,   42987,  48179,
               53862, 55944, 59941, 78004, 104218, 121661, 128924, 128924, 128924, 128924}}};

}  // namespace

const LogFigures& small_figures() {
    static constexpr LogFigures figures{
        classes,
        89,
        {0,    0,    17,   189,  276,  388,  504,  607,  892,  1277,
         1482, 1586, 2130, 2724, 2992, 3590, 3698, 3698, 3698, 3698},
        {4364, 3374, 3829, 3776, 2398, 3947, 5728, 7156, 3801, 3444, 3503, 2975,
         2566, 2414, 2185, 2224, 3019, 2288, 2738, 2495, 3474, 3138, 3882, 3458},
        20000};
    return figures;
}

}  // namespace nvl72block::replay
