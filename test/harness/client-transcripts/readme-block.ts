/** The Java block of README.md as part of a program, and the file that says where its server is. */

import { readFileSync } from 'node:fs'
import { packageRoot } from '../../../src/package-root.ts'
import type { Registry } from './client-target.ts'

const PLACE = '// The Java block of README.md.\n'

/** The program with the block in the place of the comment that stands for it; undefined for a program without one. */
export function withReadmeBlock(program: string): string | undefined {
  if (!program.includes(PLACE)) return undefined
  const readme = readFileSync(new URL('README.md', packageRoot()), 'utf8')
  const blocks = [...readme.matchAll(/^```java\n([\s\S]*?)^```$/gm)].map(([, block]) => block!)
  if (blocks.length !== 1) throw new Error(`README.md has ${blocks.length} blocks of Java, not one`)
  return program.replace(PLACE, () => blocks[0]!)
}

/** hbase-site.xml for a server of which the block knows no port. */
export function siteOf(registry: Registry, address: string): string {
  // ZooKeeper is what clients before 3.0 ask unless they are told otherwise, by a class whose name has changed.
  const registryClass = { rpc: 'RpcConnectionRegistry', master: 'MasterRegistry', zookeeper: undefined }[
    registry
  ]
  const place = {
    rpc: ['hbase.client.bootstrap.servers', address],
    master: ['hbase.masters', address],
    zookeeper: ['hbase.zookeeper.property.clientPort', address.split(':').at(-1)!],
  }
  const properties = [
    ...(registryClass === undefined
      ? []
      : [['hbase.client.registry.impl', `org.apache.hadoop.hbase.client.${registryClass}`]]),
    place[registry],
  ].map(([name, value]) => `<property><name>${name}</name><value>${value}</value></property>`)
  return `<configuration>${properties.join('')}</configuration>\n`
}
