import java.io.IOException;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.store.DataInput;
import org.apache.lucene.store.DataOutput;

/** What Lucene 5 and later have of their own: maps and sets with a count as a vInt, index headers. */
final class Forms {
    static void writeMap(DataOutput out, Map<String, String> map) throws IOException {
        out.writeMapOfStrings(map);
    }

    static Map<String, String> readMap(DataInput in) throws IOException {
        return in.readMapOfStrings();
    }

    static void writeSet(DataOutput out, Set<String> set) throws IOException {
        out.writeSetOfStrings(set);
    }

    static Set<String> readSet(DataInput in) throws IOException {
        return in.readSetOfStrings();
    }

    static void writeIndexHeader(DataOutput out, String codec, int version, byte[] id, String suffix)
            throws IOException {
        CodecUtil.writeIndexHeader(out, codec, version, id, suffix);
    }

    static int checkIndexHeader(DataInput in, String codec, int min, int max, byte[] id, String suffix)
            throws IOException {
        return CodecUtil.checkIndexHeader(in, codec, min, max, id, suffix);
    }
}
