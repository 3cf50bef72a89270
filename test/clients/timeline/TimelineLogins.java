/** Hadoop's TimelineClient, unchanged, with a keytab and then with a delegation token. Arguments: PRINCIPAL KEYTAB PORT. Prints a line for each step. */

import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.api.records.timeline.TimelineEntity;
import org.apache.hadoop.yarn.api.records.timeline.TimelinePutResponse;
import org.apache.hadoop.yarn.client.api.TimelineClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.security.client.TimelineDelegationTokenIdentifier;

public class TimelineLogins {
  private interface Step {
    Object run() throws Exception;
  }

  private static void step(String name, Step step) {
    try {
      System.out.println(name + ": " + step.run());
    } catch (Exception error) {
      Throwable cause = error;
      while (cause.getCause() != null && cause.getCause() != cause) {
        cause = cause.getCause();
      }
      String message = String.valueOf(cause.getMessage()).split("\n")[0];
      System.out.println(name + ": " + cause.getClass().getSimpleName() + " " + message);
    }
  }

  private static TimelineClient open(YarnConfiguration configuration) {
    TimelineClient client = TimelineClient.createTimelineClient();
    client.init(configuration);
    client.start();
    return client;
  }

  private static String put(TimelineClient client, String id) throws Exception {
    TimelineEntity entity = new TimelineEntity();
    entity.setEntityType("LOGIN");
    entity.setEntityId(id);
    entity.setStartTime(1425447797805L);
    TimelinePutResponse response = client.putEntities(entity);
    return response.getErrors().size() + " errors";
  }

  public static void main(String[] args) throws Exception {
    YarnConfiguration configuration = new YarnConfiguration();
    configuration.set("hadoop.security.authentication", "kerberos");
    configuration.setBoolean(YarnConfiguration.TIMELINE_SERVICE_ENABLED, true);
    configuration.setFloat(YarnConfiguration.TIMELINE_SERVICE_VERSION, 1.0f);
    configuration.set(YarnConfiguration.TIMELINE_SERVICE_WEBAPP_ADDRESS, "localhost:" + args[2]);
    configuration.set("yarn.timeline-service.http-authentication.type", "kerberos");
    configuration.setInt(YarnConfiguration.TIMELINE_SERVICE_CLIENT_MAX_RETRIES, 1);
    UserGroupInformation.setConfiguration(configuration);
    UserGroupInformation.loginUserFromKeytab(args[0], args[1]);
    UserGroupInformation login = UserGroupInformation.getLoginUser();
    TimelineClient client = open(configuration);
    step("put", () -> put(client, "of-keytab"));
    step("put again", () -> put(client, "of-keytab-2"));
    Token<TimelineDelegationTokenIdentifier> token = client.getDelegationToken(login.getShortUserName());
    step(
        "token",
        () -> {
          TimelineDelegationTokenIdentifier identifier = token.decodeIdentifier();
          long days = (identifier.getMaxDate() - identifier.getIssueDate()) / 86400000;
          boolean hasKey = identifier.getMasterKeyId() > 0 && identifier.getSequenceNumber() > 0;
          return identifier.getOwner() + " " + identifier.getRenewer() + " " + days + " " + hasKey + " " + token.getKind();
        });
    UserGroupInformation task = UserGroupInformation.createRemoteUser("task");
    task.addToken(token);
    task.doAs(
        (PrivilegedExceptionAction<Void>)
            () -> {
              TimelineClient ofTask = open(configuration);
              step("put by token", () -> put(ofTask, "of-token"));
              ofTask.stop();
              return null;
            });
    step("renew", () -> client.renewDelegationToken(token) > System.currentTimeMillis());
    step(
        "cancel",
        () -> {
          client.cancelDelegationToken(token);
          return "ok";
        });
    task.doAs(
        (PrivilegedExceptionAction<Void>)
            () -> {
              TimelineClient ofTask = open(configuration);
              step("put by cancelled token", () -> put(ofTask, "of-cancelled-token"));
              ofTask.stop();
              return null;
            });
    client.stop();
    System.exit(0);
  }
}
