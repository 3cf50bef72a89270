package tidegate;

import java.lang.reflect.Method;
import net.bytebuddy.implementation.bind.annotation.Origin;
import net.bytebuddy.implementation.bind.annotation.RuntimeType;
import net.bytebuddy.implementation.bind.annotation.This;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.MiniClusterRule;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/** Connections of MiniClusterRule, which has no cluster of its own here: they go to the running one. */
public final class MiniClusterRuleMethods {
  private MiniClusterRuleMethods() {
  }

  @RuntimeType
  public static Object call(@This MiniClusterRule rule, @Origin Method method) throws Exception {
    Configuration conf = rule.getTestingUtility().getConfiguration();
    if (method.getName().equals("createAsyncConnection")) return ConnectionFactory.createAsyncConnection(conf);
    return ConnectionFactory.createConnection(conf);
  }
}
