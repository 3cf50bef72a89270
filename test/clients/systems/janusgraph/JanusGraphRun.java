import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.janusgraph.core.JanusGraph;
import org.janusgraph.core.JanusGraphFactory;
import org.janusgraph.core.Multiplicity;
import org.janusgraph.core.PropertyKey;
import org.janusgraph.core.schema.ConsistencyModifier;
import org.janusgraph.core.schema.JanusGraphIndex;
import org.janusgraph.core.schema.JanusGraphManagement;
import org.janusgraph.example.GraphOfTheGodsFactory;

/** A graph in JanusGraph: a schema with unique and plain indexes, transactions, traversals, a second opening. */
public final class JanusGraphRun {
  private static void step(String name, Callable<?> body) {
    String answer;
    try {
      answer = String.valueOf(body.call());
    } catch (Exception e) {
      Throwable cause = e;
      while (cause.getCause() != null) cause = cause.getCause();
      answer = cause.getClass().getSimpleName();
    }
    System.out.println(name + ": " + answer);
  }

  private static JanusGraph open(String port) {
    return JanusGraphFactory.build()
        .set("storage.backend", "hbase")
        .set("storage.hostname", "127.0.0.1")
        .set("storage.port", Integer.valueOf(port))
        .set("storage.hbase.table", "systems_janusgraph")
        .set("storage.hbase.region-count", 3)
        .set("cache.db-cache", false)
        .open();
  }

  private static Object sorted(List<?> found) {
    TreeSet<String> names = new TreeSet<>();
    for (Object each : found) names.add(String.valueOf(each));
    return names + " of " + found.size();
  }

  private static void makeSchema(JanusGraph graph) {
    JanusGraphManagement schema = graph.openManagement();
    PropertyKey login = schema.makePropertyKey("login").dataType(String.class).make();
    JanusGraphIndex byLogin = schema.buildIndex("byLogin", Vertex.class).addKey(login).unique().buildCompositeIndex();
    schema.setConsistency(login, ConsistencyModifier.LOCK);
    schema.setConsistency(byLogin, ConsistencyModifier.LOCK);
    schema.makePropertyKey("visits").dataType(Long.class).make();
    schema.makeEdgeLabel("follows").multiplicity(Multiplicity.SIMPLE).make();
    schema.commit();
  }

  private static void traverse(GraphTraversalSource g) {
    step("gods", () -> sorted(g.V().has("name").values("name").toList()));
    step("grandchild of Saturn",
        () -> g.V().has("name", "saturn").in("father").in("father").values("name").next());
    step("battles of Hercules", () -> sorted(g.V().has("name", "hercules").outE("battled").has("time", P.gt(1)).inV().values("name").toList()));
    step("brothers", () -> sorted(g.V().has("name", "jupiter").out("brother").values("name").toList()));
    step("ages", () -> g.V().has("age", P.inside(1, 5000)).values("age").sum().next());
    step("labels of edges", () -> new java.util.TreeMap<>(g.E().groupCount().by(org.apache.tinkerpop.gremlin.structure.T.label).next()));
    step("paths", () -> sorted(g.V().has("name", "cerberus").repeat(__.both().simplePath()).until(__.has("name", "saturn")).path().by("name").toList()));
  }

  private static void change(JanusGraph graph) {
    step("300 vertices", () -> {
      GraphTraversalSource g = graph.traversal();
      Vertex before = null;
      for (int i = 0; i < 300; i++) {
        Vertex vertex = g.addV("user").property("login", "u" + i).property("visits", (long) i).next();
        if (before != null) vertex.addEdge("follows", before, "since", i);
        before = vertex;
      }
      graph.tx().commit();
      return graph.traversal().V().hasLabel("user").count().next();
    });
    step("the unique index", () -> {
      graph.traversal().addV("user").property("login", "u7").iterate();
      graph.tx().commit();
      return "taken";
    });
    graph.tx().rollback();
    step("by the index", () -> graph.traversal().V().has("login", "u77").values("visits").next());
    step("a chain", () -> graph.traversal().V().has("login", "u299").repeat(__.out("follows")).times(250).values("login").next());
    step("an update", () -> {
      graph.traversal().V().has("login", "u5").property("visits", Long.MAX_VALUE).iterate();
      graph.tx().commit();
      return graph.traversal().V().has("login", "u5").values("visits").next();
    });
    step("a rollback", () -> {
      graph.traversal().V().has("login", "u6").property("visits", -1L).iterate();
      graph.tx().rollback();
      return graph.traversal().V().has("login", "u6").values("visits").next();
    });
    step("vertices dropped", () -> {
      graph.traversal().V().has("visits", P.between(100L, 200L)).drop().iterate();
      graph.tx().commit();
      return graph.traversal().V().hasLabel("user").count().next() + " " + graph.traversal().E().hasLabel("follows").count().next();
    });
    step("a dropped one by the index", () -> graph.traversal().V().has("login", "u150").hasNext());
  }

  public static void main(String[] args) throws Exception {
    String port = args[0].split(":")[1];
    JanusGraph graph = open(port);
    step("the schema", () -> {
      makeSchema(graph);
      return "made";
    });
    step("the graph of the gods", () -> {
      GraphOfTheGodsFactory.loadWithoutMixedIndex(graph, true);
      return "loaded";
    });
    traverse(graph.traversal());
    change(graph);
    graph.close();
    JanusGraph again = open(port);
    step("after a second opening", () -> sorted(again.traversal().V().has("name").values("name").toList()));
    step("vertices", () -> again.traversal().V().count().next());
    step("edges", () -> again.traversal().E().count().next());
    step("the graph dropped", () -> {
      JanusGraphFactory.drop(again);
      return "done";
    });
  }
}
