import java.net.HttpURLConnection;
import java.net.URL;
import java.security.PrivilegedExceptionAction;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.rest.client.Client;
import org.apache.hadoop.hbase.rest.client.Cluster;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.client.AuthenticatedURL;

/**
 * Hadoop's AuthenticatedURL and HBase's own client of REST, unmodified, with a keytab. Arguments: PRINCIPAL KEYTAB PORT TABLE [USER], where USER is the
 * one for whom the login acts. Prints one line for each step: its name and the answer, or the exception.
 */
public final class RestLogins {
  private interface Step {
    Object run() throws Exception;
  }

  private static void step(String name, Step step) {
    try {
      System.out.println(name + ": " + step.run());
    } catch (Exception error) {
      String message = String.valueOf(error.getMessage()).split("\n")[0];
      System.out.println(name + ": " + error.getClass().getSimpleName() + " " + message);
    }
  }

  public static void main(String[] args) throws Exception {
    Configuration configuration = HBaseConfiguration.create();
    UserGroupInformation.setConfiguration(configuration);
    UserGroupInformation login = UserGroupInformation.loginUserFromKeytabAndReturnUGI(args[0], args[1]);
    login.doAs(
        (PrivilegedExceptionAction<Void>)
            () -> {
              byUrl(args[2]);
              byClient(configuration, args);
              return null;
            });
    System.exit(0);
  }

  private static void byUrl(String port) {
    AuthenticatedURL.Token token = new AuthenticatedURL.Token();
    for (int turn = 0; turn < 3; turn++) {
      step(
          "url",
          () -> {
            URL url = new URL("http://localhost:" + port + "/version");
            HttpURLConnection connection = new AuthenticatedURL().openConnection(url, token);
            connection.setRequestProperty("Accept", "text/plain");
            int status = connection.getResponseCode();
            return status + " " + token.isSet() + " " + (connection.getRequestProperty("Authorization") == null);
          });
    }
  }

  private static void byClient(Configuration configuration, String[] args) throws Exception {
    Client client = new Client(new Cluster().add("localhost", Integer.parseInt(args[2])), configuration, false);
    String table = "/" + args[3];
    if (args.length > 4) {
      client.addExtraHeader("doAs", args[4]);
    }
    byte[] schema = Bytes.toBytes("{\"name\":\"" + args[3] + "\",\"ColumnSchema\":[{\"name\":\"f\"}]}");
    byte[] large = new byte[1 << 20];
    Arrays.fill(large, (byte) 7);
    String binary = "application/octet-stream";
    step("create", () -> client.put(table + "/schema", "application/json", schema).getCode());
    step("put", () -> client.put(table + "/r1/f:q", binary, Bytes.toBytes("v1")).getCode());
    step("post", () -> client.post(table + "/r2/f:q", binary, large).getCode());
    step("get", () -> Bytes.toString(client.get(table + "/r1/f:q", binary).getBody()));
    step("get large", () -> client.get(table + "/r2/f:q", binary).getBody().length);
    step("head", () -> client.head(table + "/schema").getCode());
    step("delete", () -> client.delete(table + "/r1/f:q").getCode());
    step("missing", () -> client.get(table + "/r1/f:q", binary).getCode());
    client.shutdown();
  }
}
