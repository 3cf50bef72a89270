import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.security.PrivilegedExceptionAction;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.protobuf.generated.AuthenticationProtos.AuthenticationService;
import org.apache.hadoop.hbase.protobuf.generated.AuthenticationProtos.WhoAmIRequest;
import org.apache.hadoop.hbase.protobuf.generated.AuthenticationProtos.WhoAmIResponse;
import org.apache.hadoop.hbase.security.access.AccessControlClient;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.token.AuthenticationTokenIdentifier;
import org.apache.hadoop.hbase.security.token.ClientTokenUtil;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;

/**
 * HBase's Java client with Kerberos. Arguments: PRINCIPAL KEYTAB, or none for the tickets of KRB5CCNAME. Each line of stdin is a step, for which it
 * prints one line `ok ANSWER` or `EXCEPTION: MESSAGE`:
 *
 *   create TABLE FAMILY | drop TABLE | grant USER ACTIONS TABLE
 *   put TABLE ROW COLUMN VALUE | get TABLE ROW | scan TABLE | whoami
 *   token STEP     the step as the user of a token that the login has asked for
 *   save FILE      keeps such a token in a file, as a job does for its tasks: HADOOP_TOKEN_FILE_LOCATION
 *   retoken        asks for a token with a token
 *   as USER STEP   the step as another user, for whom the login acts
 */
public final class KerberosClient {
  private static Configuration configuration;

  public static void main(String[] args) throws Exception {
    configuration = HBaseConfiguration.create();
    configuration.setInt("hbase.client.retries.number", 2);
    configuration.setInt("hbase.client.pause", 50);
    configuration.setInt("hbase.rpc.timeout", 20000);
    configuration.setInt("hbase.client.operation.timeout", 40000);
    UserGroupInformation.setConfiguration(configuration);
    if (args.length > 0) UserGroupInformation.loginUserFromKeytab(args[0], args[1]);
    try (Connection connection = ConnectionFactory.createConnection(configuration);
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, "UTF-8"))) {
      for (String line; (line = lines.readLine()) != null; ) {
        String answer;
        try {
          answer = "ok " + step(connection, line.split(" "));
        } catch (Throwable error) {
          answer = described(error);
        }
        System.out.println(answer.trim());
      }
    }
    System.exit(0);
  }

  private static String step(Connection connection, String[] words) throws Throwable {
    String[] rest = Arrays.copyOfRange(words, 1, words.length);
    switch (words[0]) {
      case "token":
        return as(userOfToken(connection), rest);
      case "as":
        UserGroupInformation proxy =
            UserGroupInformation.createProxyUser(words[1], UserGroupInformation.getLoginUser());
        return as(proxy, Arrays.copyOfRange(words, 2, words.length));
      case "save":
        Credentials credentials = new Credentials();
        Token<AuthenticationTokenIdentifier> token = ClientTokenUtil.obtainToken(connection);
        credentials.addToken(token.getService(), token);
        credentials.writeTokenStorageFile(new Path("file://" + words[1]), configuration);
        return token.getKind() + " " + token.getService() + " " + token.decodeIdentifier().getUser().getUserName();
      case "retoken":
        return ClientTokenUtil.obtainToken(connection).getKind().toString();
      case "grant":
        Permission.Action[] actions = new Permission.Action[words[2].length()];
        for (int i = 0; i < actions.length; i++) actions[i] = action(words[2].charAt(i));
        AccessControlClient.grant(connection, TableName.valueOf(words[3]), words[1], null, null, actions);
        return "";
      case "create":
        try (Admin admin = connection.getAdmin()) {
          admin.createTable(
              TableDescriptorBuilder.newBuilder(TableName.valueOf(words[1]))
                  .setColumnFamily(ColumnFamilyDescriptorBuilder.of(words[2]))
                  .build());
        }
        return "";
      case "drop":
        try (Admin admin = connection.getAdmin()) {
          admin.disableTable(TableName.valueOf(words[1]));
          admin.deleteTable(TableName.valueOf(words[1]));
        }
        return "";
      case "whoami":
        return whoAmI(connection);
      default:
        try (Table table = connection.getTable(TableName.valueOf(words[1]))) {
          return row(table, words);
        }
    }
  }

  private static String row(Table table, String[] words) throws Exception {
    switch (words[0]) {
      case "put":
        String[] column = words[3].split(":");
        table.put(
            new Put(Bytes.toBytes(words[2]))
                .addColumn(Bytes.toBytes(column[0]), Bytes.toBytes(column[1]), Bytes.toBytes(words[4])));
        return "";
      case "get":
        return printed(table.get(new Get(Bytes.toBytes(words[2]))));
      case "scan":
        StringBuilder all = new StringBuilder();
        try (ResultScanner scanner = table.getScanner(new Scan())) {
          for (Result result : scanner) all.append(printed(result)).append(' ');
        }
        return all.toString();
      default:
        throw new IllegalArgumentException("no step " + words[0]);
    }
  }

  private static String printed(Result result) {
    if (result.isEmpty()) return "nothing";
    StringBuilder cells = new StringBuilder(Bytes.toString(result.getRow()));
    for (org.apache.hadoop.hbase.Cell cell : result.rawCells())
      cells.append('=').append(Bytes.toString(CellUtil.cloneValue(cell)));
    return cells.toString();
  }

  /** The step on a connection of the user's own. */
  private static String as(UserGroupInformation user, String[] words) throws Throwable {
    return user.doAs(
        (PrivilegedExceptionAction<String>)
            () -> {
              try (Connection connection = ConnectionFactory.createConnection(configuration)) {
                return step(connection, words);
              } catch (Exception error) {
                throw error;
              } catch (Throwable error) {
                throw new Exception(error);
              }
            });
  }

  /** A user without tickets, as a task of a job is. */
  private static UserGroupInformation userOfToken(Connection connection) throws Exception {
    UserGroupInformation user =
        UserGroupInformation.createRemoteUser(UserGroupInformation.getCurrentUser().getShortUserName());
    user.addToken(ClientTokenUtil.obtainToken(connection));
    return user;
  }

  private static String whoAmI(Connection connection) throws Exception {
    try (Table table = connection.getTable(TableName.META_TABLE_NAME)) {
      WhoAmIResponse response =
          AuthenticationService.newBlockingStub(table.coprocessorService(new byte[0]))
              .whoAmI(null, WhoAmIRequest.getDefaultInstance());
      return response.getUsername() + " " + response.getAuthMethod();
    }
  }

  private static Permission.Action action(char code) {
    for (Permission.Action action : Permission.Action.values()) if (action.code() == code) return action;
    throw new IllegalArgumentException("no permission " + code);
  }

  /** The class and the first line of the innermost cause. */
  private static String described(Throwable error) {
    Throwable cause = error;
    while (cause.getCause() != null && cause.getCause() != cause) cause = cause.getCause();
    String message = String.valueOf(cause.getMessage()).split("\n")[0];
    // The server's exception has its class in its message.
    if (cause instanceof RemoteException) return message.replaceFirst("^(?:[a-z]+\\.)+", "");
    return cause.getClass().getSimpleName() + ": " + message;
  }
}
