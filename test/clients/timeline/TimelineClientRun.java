/** Hadoop's TimelineClient and TimelineReaderFactory's neighbours, unchanged: puts domains and entities, and tells what it is answered. */

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.timeline.TimelineDomain;
import org.apache.hadoop.yarn.api.records.timeline.TimelineEntity;
import org.apache.hadoop.yarn.api.records.timeline.TimelineEvent;
import org.apache.hadoop.yarn.api.records.timeline.TimelinePutResponse;
import org.apache.hadoop.yarn.client.api.TimelineClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.util.timeline.TimelineUtils;

public class TimelineClientRun {
  private static final long START = 1425447797805L;

  private static void tell(String what, Object answer) throws Exception {
    System.out.println(what + ": " + TimelineUtils.dumpTimelineRecordtoJSON(answer));
  }

  private static TimelineEntity entity(String type, String id, Long start) {
    TimelineEntity entity = new TimelineEntity();
    entity.setEntityType(type);
    entity.setEntityId(id);
    if (start != null) {
      entity.setStartTime(start);
    }
    return entity;
  }

  private static TimelineEntity dag(String id, long start) {
    TimelineEntity entity = entity("TEZ_DAG_ID", id, start);
    TimelineEvent event = new TimelineEvent();
    event.setTimestamp(start + 5);
    event.setEventType("DAG_SUBMITTED");
    event.addEventInfo("queue", "default");
    event.addEventInfo("vertices", 3);
    entity.addEvent(event);
    entity.addPrimaryFilter("user", "hive");
    entity.addPrimaryFilter("applicationId", "application_1_0001");
    entity.addPrimaryFilter("number", 2);
    entity.addPrimaryFilter("number", "2");
    entity.addOtherInfo("status", "SUCCEEDED");
    entity.addOtherInfo("millis", 12345678901L);
    entity.addOtherInfo("share", 0.5);
    entity.addOtherInfo("whole", 2.0);
    entity.addOtherInfo("done", true);
    entity.addOtherInfo("list", new ArrayList<Object>(Arrays.asList(1, "a", 2.5)));
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("b", 1);
    map.put("a", new ArrayList<Object>(Arrays.asList("x")));
    entity.addOtherInfo("map", map);
    entity.addRelatedEntity("APPLICATION", "application_1_0001");
    return entity;
  }

  public static void main(String[] args) throws Exception {
    YarnConfiguration conf = new YarnConfiguration();
    conf.setBoolean(YarnConfiguration.TIMELINE_SERVICE_ENABLED, true);
    conf.set(YarnConfiguration.TIMELINE_SERVICE_WEBAPP_ADDRESS, args[0]);
    conf.set("yarn.timeline-service.http-authentication.type", "simple");
    conf.setInt(YarnConfiguration.TIMELINE_SERVICE_CLIENT_MAX_RETRIES, 1);
    TimelineClient client = TimelineClient.createTimelineClient();
    client.init(conf);
    client.start();
    try {
      TimelineDomain domain = new TimelineDomain();
      domain.setId("Tez_ATS_1");
      domain.setDescription("of a session");
      domain.setReaders("*");
      domain.setWriters("hive,tez etl");
      client.putDomain(domain);
      System.out.println("domain put");
      tell("one", client.putEntities(dag("dag_1", START)));
      tell("several", client.putEntities(dag("dag_2", START + 1000), dag("dag_3", START + 3_600_000)));
      tell("again", client.putEntities(dag("dag_1", START + 99)));
      TimelineEntity inDomain = entity("TEZ_VERTEX_ID", "vertex_1", START);
      inDomain.setDomainId("Tez_ATS_1");
      tell("in the domain", client.putEntities(inDomain));
      TimelineEntity related = entity("TEZ_TASK_ID", "task_1", START);
      related.addRelatedEntity("TEZ_VERTEX_ID", "vertex_1");
      tell("related across domains", client.putEntities(related));
      TimelineEntity moved = entity("TEZ_VERTEX_ID", "vertex_1", START);
      tell("into another domain", client.putEntities(moved));
      tell("expired", client.putEntities(entity("OLD", "old", 1000L)));
      tell("no start time", client.putEntities(entity("NONE", "none", null)));
      List<TimelineEntity> many = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        many.add(dag("many_" + i, START + i));
      }
      TimelinePutResponse response = client.putEntities(many.toArray(new TimelineEntity[0]));
      System.out.println("many: " + response.getErrors().size() + " errors");
      try {
        client.putEntities(entity(null, "x", START));
        System.out.println("without type: put");
      } catch (Exception e) {
        System.out.println("without type: " + e.getClass().getName());
      }
      try {
        TimelineDomain nameless = new TimelineDomain();
        client.putDomain(nameless);
        System.out.println("without id: put");
      } catch (Exception e) {
        System.out.println("without id: " + e.getClass().getName());
      }
    } finally {
      client.stop();
    }
  }
}
