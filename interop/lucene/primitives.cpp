// Answers questions about Lucene++'s primitives: records on the standard input, an answer to each on
// the standard output, as said in question.rs. Only what is well-formed is asked of it.

#include <LuceneHeaders.h>
#include <StringUtils.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

using namespace Lucene;

typedef std::vector<uint8_t> Bytes;

static uint64_t number(int bytes) {
    uint64_t value = 0;
    while (bytes-- > 0) {
        int byte = getchar();
        if (byte == EOF) {
            fprintf(stderr, "a cut record\n");
            exit(1);
        }
        value = value << 8 | static_cast<uint64_t>(byte);
    }
    return value;
}

static Bytes bytes() {
    Bytes bytes(number(4));
    for (size_t i = 0; i < bytes.size(); i++) {
        bytes[i] = static_cast<uint8_t>(number(1));
    }
    return bytes;
}

// UTF-16 to the four-byte characters of Linux.
static String text() {
    String text;
    for (uint64_t left = number(4); left > 0; left--) {
        uint32_t unit = static_cast<uint32_t>(number(2));
        if (unit >= 0xD800 && unit < 0xDC00 && left > 1) {
            uint32_t low = static_cast<uint32_t>(number(2));
            left--;
            unit = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
        }
        text.push_back(static_cast<wchar_t>(unit));
    }
    return text;
}

static void put(Bytes& into, uint64_t value, int bytes) {
    while (bytes-- > 0) {
        into.push_back(static_cast<uint8_t>(value >> (8 * bytes)));
    }
}

static std::vector<uint16_t> units(const String& text) {
    std::vector<uint16_t> units;
    for (size_t i = 0; i < text.size(); i++) {
        uint32_t scalar = static_cast<uint32_t>(text[i]);
        if (scalar >= 0x10000) {
            units.push_back(static_cast<uint16_t>(0xD800 + ((scalar - 0x10000) >> 10)));
            scalar = 0xDC00 + ((scalar - 0x10000) & 0x3FF);
        }
        units.push_back(static_cast<uint16_t>(scalar));
    }
    return units;
}

static void put(Bytes& into, const std::vector<uint16_t>& text) {
    put(into, text.size(), 4);
    for (size_t i = 0; i < text.size(); i++) {
        put(into, text[i], 2);
    }
}

static Bytes write(int op) {
    RAMDirectoryPtr directory = newLucene<RAMDirectory>();
    IndexOutputPtr out = directory->createOutput(L"f");
    switch (op) {
    case 1: out->writeInt(static_cast<int32_t>(number(4))); break;
    case 2: out->writeLong(static_cast<int64_t>(number(8))); break;
    case 3: out->writeVInt(static_cast<int32_t>(number(4))); break;
    case 4: out->writeVLong(static_cast<int64_t>(number(8))); break;
    case 7: out->writeString(text()); break;
    case 8: {
        MapStringString map = MapStringString::newInstance();
        for (uint64_t n = number(4); n > 0; n--) {
            String key = text();
            map.put(key, text());
        }
        out->writeStringStringMap(map);
        break;
    }
    default: fprintf(stderr, "operation %d\n", op); exit(1);
    }
    out->close();
    IndexInputPtr in = directory->openInput(L"f");
    Bytes answer(1 + static_cast<size_t>(in->length()));
    in->readBytes(answer.data() + 1, 0, static_cast<int32_t>(in->length()));
    return answer;
}

static Bytes read(int op) {
    Bytes given = bytes();
    RAMDirectoryPtr directory = newLucene<RAMDirectory>();
    IndexOutputPtr out = directory->createOutput(L"f");
    out->writeBytes(given.data(), 0, static_cast<int32_t>(given.size()));
    out->close();
    IndexInputPtr in = directory->openInput(L"f");
    Bytes value;
    switch (op) {
    case 1: put(value, static_cast<uint32_t>(in->readInt()), 4); break;
    case 2: put(value, static_cast<uint64_t>(in->readLong()), 8); break;
    case 3: put(value, static_cast<uint32_t>(in->readVInt()), 4); break;
    case 4: put(value, static_cast<uint64_t>(in->readVLong()), 8); break;
    case 7: put(value, units(in->readString())); break;
    case 8: {
        MapStringString map = in->readStringStringMap();
        // In the order of UTF-16, which is the other counterparts'.
        std::map<std::vector<uint16_t>, std::vector<uint16_t> > sorted;
        for (MapStringString::iterator entry = map.begin(); entry != map.end(); ++entry) {
            sorted[units(entry->first)] = units(entry->second);
        }
        for (auto entry = sorted.begin(); entry != sorted.end(); ++entry) {
            put(value, entry->first);
            put(value, entry->second);
        }
        break;
    }
    default: fprintf(stderr, "operation %d\n", op); exit(1);
    }
    Bytes answer(1);
    put(answer, static_cast<uint64_t>(in->getFilePointer()), 4);
    answer.insert(answer.end(), value.begin(), value.end());
    return answer;
}

int main() {
    try {
        for (int op = getchar(); op != EOF; op = getchar()) {
            Bytes answer = op < 32 ? write(op) : read(op - 32);
            Bytes length;
            put(length, answer.size(), 4);
            fwrite(length.data(), 1, length.size(), stdout);
            fwrite(answer.data(), 1, answer.size(), stdout);
        }
    } catch (LuceneException& error) {
        fprintf(stderr, "%s\n", StringUtils::toUTF8(error.getError()).c_str());
        return 1;
    }
    return 0;
}
