package tidegate;

import static net.bytebuddy.matcher.ElementMatchers.isAbstract;
import static net.bytebuddy.matcher.ElementMatchers.isDeclaredBy;
import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.not;
import static net.bytebuddy.matcher.ElementMatchers.takesArgument;

import java.io.File;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.description.modifier.Visibility;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.dynamic.scaffold.subclass.ConstructorStrategy;
import net.bytebuddy.implementation.MethodDelegation;
import net.bytebuddy.implementation.StubMethod;
import net.bytebuddy.matcher.ElementMatcher;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.pool.TypePool;

/**
 * Writes into a folder, which comes first on the class path of the tests: HBase's own HBaseTestingUtility whose methods that
 * start clusters are MiniCluster's, its MiniClusterRule that connects to the running one, a HBaseCluster that is the running one, objects of
 * its servers, and the categories of HBase's tests, which Maven Central does not have.
 */
public final class PatchUtility {
  private static final String HBASE = "org.apache.hadoop.hbase.";
  private static final String[] CATEGORIES = { "SmallTests", "MediumTests", "LargeTests", "IntegrationTests", "ClientTests",
    "FlakeyTests", "MasterTests", "MiscTests", "RegionServerTests" };

  private PatchUtility() {
  }

  public static void main(String[] arguments) throws Exception {
    File folder = new File(arguments[0]);
    ClassFileLocator locator = ClassFileLocator.ForClassLoader.ofSystemLoader();
    TypePool pool = TypePool.Default.of(locator);
    TypeDescription utility = pool.describe(HBASE + "HBaseTestingUtility").resolve();
    TypeDescription cluster = pool.describe(HBASE + "HBaseCluster").resolve();
    TypeDescription standIn = pool.describe("tidegate.MiniCluster").resolve();
    String option = HBASE + "StartMiniClusterOption";
    ElementMatcher.Junction<MethodDescription> starts =
      named("startMiniCluster").or(named("startMiniHBaseCluster")).and(takesArgument(0, named(option)));
    new ByteBuddy().redefine(utility, locator)
      .method(starts.or(named("getMiniHBaseCluster")).or(named("restartHBaseCluster"))
        .or(named("startMiniDFSCluster")).or(named("invalidateConnection")).or(named("flush")).or(named("compact")))
      .intercept(MethodDelegation.to(standIn)).make().saveIn(folder);
    new ByteBuddy().redefine(pool.describe(HBASE + "MiniClusterRule").resolve(), locator)
      .method(named("createConnection").or(named("createAsyncConnection")))
      .intercept(MethodDelegation.to(pool.describe("tidegate.MiniClusterRuleMethods").resolve())).make().saveIn(folder);
    new ByteBuddy().subclass(cluster).modifiers(Visibility.PUBLIC).name("tidegate.RunningCluster")
      .method(isAbstract().or(named("isDistributedCluster"))).intercept(MethodDelegation.to(pool.describe("tidegate.RunningClusterMethods").resolve()))
      .make().saveIn(folder);
    // The archive of a running server is not the tests' to delete, and they do so only for the next one's sake.
    new ByteBuddy().redefine(pool.describe(HBASE + "snapshot.SnapshotTestingUtils").resolve(), locator)
      .method(named("deleteArchiveDirectory")).intercept(StubMethod.INSTANCE).make().saveIn(folder);
    TypeDescription objects = pool.describe("tidegate.ServerObjects").resolve();
    for (Class<?> stoodInFor : ServerObjects.STOOD_IN_FOR) {
      new ByteBuddy().subclass(stoodInFor, ConstructorStrategy.Default.NO_CONSTRUCTORS).modifiers(Visibility.PUBLIC)
        .name(ServerObjects.nameFor(stoodInFor.getName()))
        .method(not(isDeclaredBy(Object.class).or(isDeclaredBy(Thread.class)))).intercept(MethodDelegation.to(objects)).make().saveIn(folder);
    }
    for (String category : CATEGORIES) {
      new ByteBuddy().makeInterface().name(HBASE + "testclassification." + category).make().saveIn(folder);
    }
  }
}
