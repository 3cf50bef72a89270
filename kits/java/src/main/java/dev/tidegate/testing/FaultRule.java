package dev.tidegate.testing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Which calls fail, when and how. The server checks a rule, and says which part of it is wrong. */
public final class FaultRule {
  public enum Call {
    GET,
    /** Opening a scanner. */
    SCAN,
    /** A further batch of a scanner. */
    NEXT,
    WRITE
  }

  public enum Failure {
    NOT_SERVING_REGION("NotServingRegion"),
    REGION_TOO_BUSY("RegionTooBusy"),
    CALL_QUEUE_TOO_BIG("CallQueueTooBig"),
    RPC_THROTTLING("RpcThrottling"),
    REGION_SERVER_STOPPED("RegionServerStopped"),
    TIMEOUT("Timeout"),
    ACCESS_DENIED("AccessDenied"),
    IO("IO");

    private final String json;

    Failure(String json) {
      this.json = json;
    }
  }

  private final List<String> members = new ArrayList<>();

  private FaultRule(Call... calls) {
    if (calls.length == 0) return;
    String names = List.of(calls).stream().map(FaultRule::lower).map(TestRequests::quoted).collect(Collectors.joining(","));
    members.add("\"on\":[" + names + "]");
  }

  /** None: all calls. */
  public static FaultRule on(Call... calls) {
    return new FaultRule(calls);
  }

  /** {@code table} or {@code namespace:table}; without it the rule is for all tables. */
  public FaultRule table(String name) {
    return with("table", TestRequests.quoted(name));
  }

  /** Calls that pass before the first fault. */
  public FaultRule after(int calls) {
    return with("after", Integer.toString(calls));
  }

  /** Faults before the rule is spent; without it the rule never is. */
  public FaultRule times(int faults) {
    return with("times", Integer.toString(faults));
  }

  public FaultRule delay(Duration delay) {
    return with("delayMs", Long.toString(delay.toMillis()));
  }

  public FaultRule error(Failure failure) {
    return with("error", TestRequests.quoted(failure.json));
  }

  /** Of a batch of writes each n-th fails with the error. */
  public FaultRule failEach(int n) {
    return with("failEach", Integer.toString(n));
  }

  public FaultRule loseScanner() {
    return with("loseScanner", "true");
  }

  /** The connection ends without an answer, before the call is made. */
  public FaultRule hangUpBefore() {
    return with("hangUp", "\"before\"");
  }

  /** The connection ends without an answer, after the call was made. */
  public FaultRule hangUpAfter() {
    return with("hangUp", "\"after\"");
  }

  private FaultRule with(String key, String json) {
    members.add(TestRequests.quoted(key) + ":" + json);
    return this;
  }

  private static String lower(Call call) {
    return call.name().toLowerCase(Locale.ROOT);
  }

  /** As JSON. */
  @Override
  public String toString() {
    return "{" + String.join(",", members) + "}";
  }
}
