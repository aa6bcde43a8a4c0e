// SPDX-License-Identifier: Apache-2.0
#include "heddle/units.hpp"

#include <cmath>
#include <limits>
#include <locale>
#include <string>

#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/drawn.hpp"

namespace heddle {

using namespace heddle::literals;

namespace {

constexpr std::int64_t kMaxCount = std::numeric_limits<std::int64_t>::max();

/// What an InputError says: the text in quotes, then why, then an example.
template <class Parse>
void check_refused(Parse parse, const std::string& text, const std::string& why, const std::string& example) {
  INFO("text: '" << text << "'");
  CHECK_THROWS_AS(parse(text), InputError);
  CHECK_THROWS_WITH(parse(text), "'" + text + "': " + why + "; try " + example);
}

/// Whether two amounts agree to the four digits that are printed: half a unit of the fourth is at most 5·10^-4 of the whole.
bool agree_as_printed(double printed, double original) {
  return std::abs(printed - original) <= 5.0001e-4 * std::abs(original);
}

}  // namespace

TEST_CASE("sizes are read as people write them") {
  CHECK(parse_bytes("0") == Bytes(0));
  CHECK(parse_bytes("4096") == Bytes(4096));
  CHECK(parse_bytes("32B") == 32_B);
  CHECK(parse_bytes("64KiB") == 64_KiB);
  CHECK(parse_bytes("1MiB") == 1_MiB);
  CHECK(parse_bytes("3GiB") == 3_GiB);
  CHECK(parse_bytes("2TiB") == Bytes(std::int64_t{2} << 40));
  CHECK(parse_bytes("1.5MB") == Bytes(1'500'000));
  CHECK(parse_bytes("1kB") == Bytes(1'000));
  CHECK(parse_bytes("1EB") == Bytes(1'000'000'000'000'000'000));
  CHECK(parse_bytes("1.5 MB") == Bytes(1'500'000));
  CHECK(parse_bytes("  7 ") == 7_B);
  CHECK(parse_bytes("1e6") == Bytes(1'000'000));
  CHECK(parse_bytes("1E+3 B") == Bytes(1'000));

  SECTION("a letter alone is binary, as in nccl-tests") {
    CHECK(parse_bytes("64K") == 64_KiB);
    CHECK(parse_bytes("128m") == 128_MiB);
    CHECK(parse_bytes("1G") == 1_GiB);
    CHECK(parse_bytes("1E") == Bytes(std::int64_t{1} << 60));
  }
}

TEST_CASE("sizes are exact where doubles are not") {
  CHECK(parse_bytes("9223372036854775807") == Bytes(kMaxCount));
  CHECK(parse_bytes("9007199254740993") == Bytes(9'007'199'254'740'993));  // 2^53 + 1
  CHECK(parse_bytes("9007199254740.993KB") == Bytes(9'007'199'254'740'993));
  CHECK(parse_bytes("4.35KB") == Bytes(4'350));  // 4.35 · 1000 is 4349.999… in doubles
  CHECK(parse_bytes("0.0009765625KiB") == 1_B);
  CHECK(parse_bytes("1e-3MB") == Bytes(1'000));
  CHECK(parse_bytes("1.00000000000000000000000000") == 1_B);
}

TEST_CASE("what is not a size is refused with an example") {
  const auto refused = [](const std::string& text, const std::string& why) { check_refused(parse_bytes, text, why, "64KiB"); };
  for (const char* text : {"",    " ",     "3parsecs", "MiB",  "abc",   "nan",   "inf", ".",  "-",     "+1", "0x10",
                           "1 2", "1,5MB", "64KiBs",   "64kb", "64KBB", "1Ki B", "10i", "1e", "1e5.5", "1\n"})
    refused(text, "not a size");
  for (const char* text : {"-1", " -1KiB", "-.5", "-0"}) refused(text, "a size cannot be negative");
  for (const char* text : {"0.3B", "1.5", "1e-1", "0.0001KB", "1e-300", "0.3KiB"}) refused(text, "not a whole number of bytes");
  for (const char* text :
       {"9223372036854775808", "8EiB", "9.3EB", "1e19", "1e300", "99999999999999999999", "18446744073709551616"})
    refused(text, "a size too large to count in 63 bits");
  for (const char* text : {"1e999", "1e-999"}) refused(text, "a size out of range");
}

TEST_CASE("bandwidths are read as people write them") {
  CHECK(parse_bandwidth("400Gbps") == 400_Gbps);
  CHECK(parse_bandwidth("800 Gb/s") == Bandwidth(100e9));
  CHECK(parse_bandwidth("100Gbit/s") == Bandwidth(12.5e9));
  CHECK(parse_bandwidth("900GB/s") == 900_GBps);
  CHECK(parse_bandwidth("50GBps") == 50_GBps);
  CHECK(parse_bandwidth("1GiB/s") == Bandwidth(1'073'741'824));
  CHECK(parse_bandwidth("8b/s") == Bandwidth(1));
  CHECK(parse_bandwidth("2.5TB/s") == Bandwidth(2.5e12));
  CHECK(parse_bandwidth("12.5e9B/s") == Bandwidth(12.5e9));
  CHECK(parse_bandwidth("0.5B/s") == Bandwidth(0.5));
  CHECK(parse_bandwidth("inf").is_unlimited());
  CHECK_FALSE(parse_bandwidth("400Gbps").is_unlimited());
}

TEST_CASE("what is not a bandwidth is refused with an example") {
  const auto refused = [](const std::string& text, const std::string& why) {
    check_refused(parse_bandwidth, text, why, "400Gbps or 50GB/s");
  };
  for (const char* text : {"", "fast", "nan", "infinite", "400G", "400GB", "400Gb", "400Gbps!", "1s"})
    refused(text, "not a bandwidth");
  refused("-3GB/s", "a bandwidth cannot be negative");
  refused("-inf", "not a bandwidth");
  for (const char* text : {"0", "0GB/s", "0.0"}) refused(text, "a bandwidth cannot be zero");
  for (const char* text : {"1e999", "1e300TB/s"}) refused(text, "a bandwidth out of range");
  CHECK_THROWS_WITH(parse_bandwidth("5"), "'5': a bandwidth needs its unit; try 5Gbps or 5GB/s");
  CHECK_THROWS_WITH(parse_bandwidth("12.5e9"), "'12.5e9': a bandwidth needs its unit; try 12.5e9Gbps or 12.5e9GB/s");
}

TEST_CASE("times are read as people write them") {
  CHECK(parse_time("0") == Time());
  CHECK(parse_time("20ps") == 20_ps);
  CHECK(parse_time("100ns") == 100_ns);
  CHECK(parse_time("0.5us") == 500_ns);
  CHECK(parse_time("0.5\u00b5s") == 500_ns);  // micro sign
  CHECK(parse_time("0.5\u03bcs") == 500_ns);  // Greek mu
  CHECK(parse_time("1.5ms") == 1'500_us);
  CHECK(parse_time("2s") == 2'000_ms);
  CHECK(parse_time("2 s") == 2'000_ms);
  CHECK(parse_time("1e-6s") == 1_us);
  CHECK(parse_time("0.0") == Time());
  CHECK(parse_time("0.4ps") == 0_ps);
  CHECK(parse_time("0.6ps") == 1_ps);

  SECTION("unrounded, for spans per byte") {
    CHECK(parse_seconds("20ps") == 20e-12);
    CHECK(parse_seconds("0.125ps") == 0.125e-12);
    CHECK(parse_seconds("1.2e-11s") == 1.2e-11);
    CHECK(parse_seconds("0") == 0);
  }
}

TEST_CASE("what is not a time is refused with an example") {
  const auto refused = [](const std::string& text, const std::string& why) { check_refused(parse_time, text, why, "100ns"); };
  for (const char* text : {"", "soon", "100 parsecs", "nan", "inf", "1h", "1NS", "1us2"}) refused(text, "not a time");
  for (const char* text : {"-1", "-100ns"}) refused(text, "a time cannot be negative");
  for (const char* text : {"1e7s", "1e300s"}) refused(text, "a time too long to count in picoseconds");
  refused("1e999", "a time out of range");
  CHECK_THROWS_WITH(parse_seconds("soon"), "'soon': not a time; try 100ns");
  CHECK_THROWS_WITH(parse_time("1"), "'1': a time needs its unit; try 1ns, 1us or 1s");
  CHECK_THROWS_WITH(parse_seconds("1.5e-6"), "'1.5e-6': a time needs its unit; try 1.5e-6ns, 1.5e-6us or 1.5e-6s");
}

TEST_CASE("seconds become the nearest picosecond and never overflow") {
  CHECK(Time::from_seconds(1.5e-6) == 1'500_ns);
  CHECK(Time::from_seconds(0.49e-12) == 0_ps);
  CHECK(Time::from_seconds(0.51e-12) == 1_ps);
  CHECK(Time::from_seconds(-1e-9) == Time() - 1_ns);
  CHECK(Time::from_seconds(1e7) == Time::max());
  CHECK(Time::from_seconds(-1e7) == Time() - Time::max());
  CHECK(Time::from_seconds(std::numeric_limits<double>::infinity()) == Time::max());
  CHECK(Time::from_seconds(std::numeric_limits<double>::quiet_NaN()) == Time::max());
}

TEST_CASE("a size is printed exactly where four digits do, as short as it can be") {
  CHECK(to_string(0_B) == "0B");
  CHECK(to_string(7_B) == "7B");
  CHECK(to_string(1'025_B) == "1025B");
  CHECK(to_string(64_KiB) == "64KiB");
  CHECK(to_string(1_MiB) == "1MiB");
  CHECK(to_string(1_GiB + 512_MiB) == "1.5GiB");
  CHECK(to_string(1'500_MiB) == "1500MiB");
  CHECK(to_string(1'500'000_B) == "1.5MB");
  CHECK(to_string(1'234'567_B) == "1.235MB");
  CHECK(to_string(12'346_B) == "12.35KB");
  CHECK(to_string(1'100_B) == "1100B");  // as short as 1.1KB
  CHECK(to_string(Bytes(-1024)) == "-1KiB");
  CHECK(to_string(Bytes(kMaxCount)) == "9223PB");
  CHECK(to_string(Bytes(std::numeric_limits<std::int64_t>::min())) == "-8192PiB");
}

TEST_CASE("rates and times are printed to four digits") {
  CHECK(to_string(400_Gbps) == "50GB/s");
  CHECK(to_string(Bandwidth(12.5e9)) == "12.5GB/s");
  CHECK(to_string(Bandwidth(1'073'741'824)) == "1.074GB/s");
  CHECK(to_string(Bandwidth(0.5)) == "0.5B/s");
  CHECK(to_string(Bandwidth::unlimited()) == "inf");

  CHECK(to_string(Time()) == "0ps");
  CHECK(to_string(100_ns) == "100ns");
  CHECK(to_string(1'500_ns) == "1.5us");
  CHECK(to_string(1'234'567_ps) == "1.235us");
  CHECK(to_string(999'949_ps) == "999.9ns");
  CHECK(to_string(999'996_ps) == "1us");
  CHECK(to_string(90'000_ms) == "90s");
  CHECK(to_string(Time() - 1'500_ns) == "-1.5us");
}

TEST_CASE("what is printed is read back to within its digits") {
  testing::property("sizes", [] {
    const auto bits = drawn::any<std::uint64_t>();
    const Bytes bytes(static_cast<std::int64_t>(bits >> 1 >> drawn::number(0, 63)));
    const Bytes read = parse_bytes(to_string(bytes));
    RC_ASSERT(agree_as_printed(static_cast<double>(read.count()), static_cast<double>(bytes.count())));
  });
  testing::property("sizes of up to four digits in a binary or a decimal unit, exactly", [] {
    const std::int64_t unit = drawn::one_of<std::int64_t>({1, 1'000, 1'000'000, 1 << 10, 1 << 20, 1 << 30});
    const Bytes bytes(drawn::number<std::int64_t>(0, 10'000) * unit);
    RC_ASSERT(parse_bytes(to_string(bytes)) == bytes);
  });
  testing::property("bandwidths", [] {
    const Bandwidth bandwidth(drawn::number(1, 1'000'000) * std::pow(10.0, drawn::number(-3, 15)));
    const Bandwidth read = parse_bandwidth(to_string(bandwidth));
    RC_ASSERT(agree_as_printed(read.bytes_per_second(), bandwidth.bytes_per_second()));
  });
  testing::property("times", [] {
    const auto bits = drawn::any<std::uint64_t>();
    const Time time = Time::ps(static_cast<std::int64_t>(bits >> 1 >> drawn::number(0, 63)));
    RC_ASSERT(agree_as_printed(parse_time(to_string(time)).seconds(), time.seconds()));
  });
  testing::property("whole counts of bytes, exactly", [] {
    const auto bits = drawn::any<std::uint64_t>();
    const auto count = static_cast<std::int64_t>(bits >> 1);
    RC_ASSERT(parse_bytes(std::to_string(count)) == Bytes(count));
  });
}

TEST_CASE("any text is read or refused as InputError") {
  testing::property("nothing else is thrown", [] {
    const std::string text = drawn::letters("0123456789.eE+-KMGibBps/un x");
    for (const auto parse : {+[](const std::string& t) { parse_bytes(t); }, +[](const std::string& t) { parse_bandwidth(t); },
                             +[](const std::string& t) { parse_time(t); }}) {
      try {
        parse(text);
      } catch (const InputError& error) {
        RC_ASSERT(std::string(error.what()).starts_with("'" + text + "': "));
      }
    }
  });
}

TEST_CASE("units are read and printed alike under any locale") {
  struct CommaPoint : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new CommaPoint));
  const Time read = parse_time("1.5us");
  const std::string printed = to_string(1'500_ns);
  std::locale::global(before);
  CHECK(read == 1'500_ns);
  CHECK(printed == "1.5us");
}

TEST_CASE("amounts add, scale and compare") {
  CHECK(1_KiB + 24_B == 1'048_B);
  CHECK(1_KiB - 24_B == 1'000_B);
  CHECK(3 * 4_B == 4_B * 3);
  CHECK(1_KiB < 1_MiB);
  CHECK(1_us + 500_ns == 1'500_ns);
  CHECK(1_us - 1_ns == 999_ns);
  CHECK(2 * 3_ns == 6_ns);
  CHECK(1_us < 1_ms);
  CHECK((400_Gbps * 0.5) == 200_Gbps);
  CHECK(900_GBps < Bandwidth::unlimited());
  Bytes bytes = 1_B;
  CHECK((bytes += 2_B) == 3_B);
  Time time = 1_ps;
  CHECK((time += 2_ps) == 3_ps);
  CHECK((1'500_ns).seconds() == Approx(1.5e-6));
}

}  // namespace heddle
