import { readFileSync } from 'node:fs'
import { parseXml, type XmlElement } from '../wire/rest/xml-document.ts'
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

const DEPTH_MAX = 16

/** Option values from an hbase-site.xml, as text. Keys that mean nothing to Tidegate are passed over. */
export function readConfigFile(path: string): Map<string, string> {
  let bytes: Buffer
  try {
    bytes = readFileSync(path)
  } catch (error) {
    throw new UsageError(
      `the config file cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
  const options = new Map<string, string>()
  for (const { name, value } of propertiesOf(bytes, path)) {
    const option = OPTION_OF[name]
    if (option !== undefined) options.set(option, value)
  }
  return options
}

function propertiesOf(bytes: Buffer, path: string): { name: string; value: string }[] {
  let root: XmlElement
  try {
    root = parseXml(bytes, DEPTH_MAX, 'configuration')
  } catch (error) {
    throw new UsageError(`${path}: ${error instanceof Error ? error.message : String(error)}`)
  }
  return root.children
    .filter(({ name }) => name === 'property')
    .map((property) => ({ name: textOf(property, 'name'), value: textOf(property, 'value') }))
}

function textOf({ children }: XmlElement, name: string): string {
  return children.find((child) => child.name === name)?.text.trim() ?? ''
}
