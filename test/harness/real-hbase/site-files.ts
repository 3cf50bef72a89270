/** The files of a real HBase's folder `conf`. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RealHBasePorts } from './free-ports.ts'

type Settings = Readonly<Record<string, string | number>>

export interface SiteOptions {
  /** Region servers. */
  readonly servers: number
  /** They take precedence over the others. */
  readonly settings: Settings
}

function siteXml(folder: string, ports: RealHBasePorts, options: SiteOptions): string {
  const fixedPorts: Settings = {
    'hbase.master.port': ports.master,
    'hbase.master.info.port': ports.masterInfo,
    'hbase.regionserver.port': ports.regionServer,
    'hbase.regionserver.info.port': ports.regionServerInfo,
    'hbase.client.bootstrap.servers': `localhost:${ports.regionServer}`,
  }
  const settings: Settings = {
    ...(options.servers === 1 ? fixedPorts : { 'hbase.localcluster.assign.random.ports': 'true' }),
    'hbase.cluster.distributed': 'false',
    'hbase.rootdir': `file://${folder}/data/hbase`,
    'hbase.tmp.dir': `${folder}/data/tmp`,
    'hbase.unsafe.stream.capability.enforce': 'false',
    'hbase.wal.provider': 'filesystem',
    'hbase.zookeeper.quorum': '127.0.0.1',
    'hbase.zookeeper.property.clientPort': ports.zookeeper,
    'hbase.zookeeper.property.dataDir': `${folder}/data/zk`,
    'hbase.master.hostname': 'localhost',
    'hbase.master.ipc.address': '127.0.0.1',
    'hbase.master.info.bindAddress': '127.0.0.1',
    'hbase.regionserver.hostname': 'localhost',
    'hbase.regionserver.ipc.address': '127.0.0.1',
    'hbase.regionserver.info.bindAddress': '127.0.0.1',
    'hbase.rest.host': '127.0.0.1',
    'hbase.rest.info.bindAddress': '127.0.0.1',
    'hbase.regionserver.thrift.ipaddress': '127.0.0.1',
    'hbase.thrift.info.bindAddress': '127.0.0.1',
    ...options.settings,
  }
  const properties = Object.entries(settings).map(
    ([name, value]) => `  <property><name>${name}</name><value>${value}</value></property>`,
  )
  return `<configuration>\n${properties.join('\n')}\n</configuration>\n`
}

const LOG4J = `log4j.rootLogger=INFO,c
log4j.appender.c=org.apache.log4j.ConsoleAppender
log4j.appender.c.target=System.err
log4j.appender.c.layout=org.apache.log4j.PatternLayout
log4j.appender.c.layout.ConversionPattern=%d{ISO8601} %p [%t] %c{2}: %m%n
`

/** Writes them into the folder `conf`, which it makes. `folder`: has the data of the processes. */
export function writeSiteFiles(
  conf: string,
  folder: string,
  ports: RealHBasePorts,
  options: SiteOptions,
): void {
  const site = siteXml(folder, ports, options)
  mkdirSync(conf)
  writeFileSync(join(conf, 'hbase-site.xml'), site)
  // Hadoop's own classes do not read HBase's file.
  writeFileSync(join(conf, 'core-site.xml'), site)
  writeFileSync(join(conf, 'log4j.properties'), LOG4J)
}
