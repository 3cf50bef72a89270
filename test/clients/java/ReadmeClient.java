import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** The Java block of README.md as it stands there. The ports of the server are in hbase-site.xml on the class path. */
public final class ReadmeClient {
  private ReadmeClient() {}

  public static void main(String[] args) throws Exception {
    try (Connection connection =
        ConnectionFactory.createConnection(Printed.configuration(args[0]))) {
      Printed.createTable(connection, TableName.valueOf("cities"));
    }
    PrintStream out = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, "UTF-8"));
    try {
      readme();
    } finally {
      System.setOut(out);
    }
    Printed.line("README prints", printed.toString("UTF-8").trim().replaceAll("\\d{13}", "now"));
  }

  private static void readme() throws Exception {
    // The Java block of README.md.
  }
}
