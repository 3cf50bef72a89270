import { readFileSync } from 'node:fs'
import { XMLParser } from 'fast-xml-parser'
import { UsageError } from './usage-error.ts'

/** HBase's keys that mean something here, with the option that each of them sets. */
const OPTION_OF: Readonly<Record<string, string>> = {
  'hbase.rest.port': 'rest',
  'hbase.rest.host': 'host',
  'hbase.regionserver.thrift.port': 'thrift',
  'hbase.regionserver.port': 'rpc',
  'hbase.zookeeper.property.clientPort': 'zookeeper',
  'hbase.master.info.port': 'web',
  'hbase.client.keyvalue.maxsize': 'cellBytesMax',
  'hbase.server.scanner.max.result.size': 'responseBytesMax',
  'hbase.client.scanner.timeout.period': 'scannerIdleMs',
  'hbase.thrift.server.socket.read.timeout': 'connectionIdleMs',
}

/** Option values from an hbase-site.xml, as text. Keys that mean nothing to Tidegate are passed over. */
export function readConfigFile(path: string): Map<string, string> {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(
      `the config file cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
  const options = new Map<string, string>()
  for (const { name, value } of propertiesOf(text, path)) {
    const option = OPTION_OF[name]
    if (option !== undefined) options.set(option, value)
  }
  return options
}

function propertiesOf(text: string, path: string): { name: string; value: string }[] {
  const parser = new XMLParser({
    parseTagValue: false,
    processEntities: false,
    isArray: (tag) => tag === 'property',
  })
  let document: { configuration?: { property?: { name?: string; value?: string }[] } | '' }
  try {
    document = parser.parse(text, true) as typeof document
  } catch (error) {
    throw new UsageError(`${path} is not XML: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (document.configuration === undefined) throw new UsageError(`${path} has no <configuration> element`)
  if (document.configuration === '') return []
  return (document.configuration.property ?? []).map((property) => ({
    name: (property.name ?? '').trim(),
    value: (property.value ?? '').trim(),
  }))
}
