package tidegate;

import java.util.ArrayList;
import java.util.List;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.Request;
import org.junit.runner.manipulation.Filter;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;

/**
 * Runs a class, or the methods of it that are named, and prints a line a test: `passed|failed|ignored|out-of-reach CLASS METHOD REASON`.
 */
public final class RunTests {
  private static final String HBASE = "org.apache.hadoop.hbase.";

  private RunTests() {
  }

  public static void main(String[] arguments) throws Exception {
    JUnitCore core = new JUnitCore();
    core.addListener(new Lines());
    Request request = Request.aClass(Class.forName(HBASE + arguments[0]));
    List<String> methods = new ArrayList<>();
    for (int i = 1; i < arguments.length; i++) methods.add(arguments[i]);
    core.run(methods.isEmpty() ? request : request.filterWith(only(methods)));
    System.exit(0);
  }

  private static Filter only(List<String> methods) {
    return new Filter() {
      @Override
      public boolean shouldRun(Description test) {
        if (!test.isTest()) return test.getChildren().stream().anyMatch(this::shouldRun);
        return methods.contains(test.getMethodName().replaceAll("\\[.*", ""));
      }

      @Override
      public String describe() {
        return String.join(", ", methods);
      }
    };
  }

  private static void line(String outcome, Description test, String reason) {
    String where = test.getClassName().replace(HBASE, "");
    String what = test.getMethodName() == null ? "class" : test.getMethodName();
    System.out.println(outcome + "\t" + where + "\t" + what + "\t" + reason.replaceAll("\\s+", " "));
  }

  private static final class Lines extends RunListener {
    private String failure;

    @Override
    public void testStarted(Description test) {
      failure = null;
      OutOfReach.taken();
    }

    @Override
    public void testFailure(Failure failed) {
      String reason = String.valueOf(failed.getException());
      if (failure == null) failure = reason;
      if (Boolean.getBoolean("tidegate.traces")) System.err.println(failed.getTrace());
      if (failed.getDescription().isTest()) return;
      line(OutOfReach.taken() == null ? "failed" : "out-of-reach", failed.getDescription(), reason);
    }

    @Override
    public void testAssumptionFailure(Failure failed) {
      testFailure(failed);
    }

    @Override
    public void testFinished(Description test) {
      String asked = OutOfReach.taken();
      if (failure == null) line("passed", test, "");
      else line(asked == null ? "failed" : "out-of-reach", test, asked == null ? failure : asked);
    }

    @Override
    public void testIgnored(Description test) {
      line("ignored", test, "");
    }
  }
}
