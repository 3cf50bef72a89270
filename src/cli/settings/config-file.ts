import { readFileSync } from 'node:fs'
import type { DecodeLimits } from '../../model/decode-limits.ts'
import { messageOf } from '../../model/message-of.ts'
import { parseXml, type XmlElement } from '../../wire/text/xml-document.ts'
import { UsageError } from '../failures/usage-error.ts'

const LIMITS: DecodeLimits = { depthMax: 16, batchMax: 0, elementsMax: 100_000 }

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'is not there',
  EACCES: 'may not be read by this user',
  EISDIR: 'is a folder',
}

/** The properties of an hbase-site.xml: their text by their names. */
export function readConfigFile(path: string): Map<string, string> {
  let bytes: Buffer
  try {
    bytes = readFileSync(path)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reason = REASONS[code ?? '']
    throw new UsageError(
      `the config file cannot be read: ${reason === undefined ? message : `${path} ${reason}`}; name an hbase-site.xml with --config (or TIDEGATE_CONFIG), or leave that out`,
    )
  }
  return parseConfigFile(bytes, path)
}

/** Throws UsageError, which names the file. */
export function parseConfigFile(bytes: Buffer, path: string): Map<string, string> {
  let root: XmlElement
  try {
    root = parseXml(bytes, LIMITS, 'configuration')
  } catch (error) {
    throw new UsageError(`${path}: ${messageOf(error)}`)
  }
  const properties = root.children.filter(({ name }) => name === 'property')
  return new Map(
    properties.map((property) => [childText(property, 'name'), childText(property, 'value')] as const),
  )
}

function childText({ children }: XmlElement, name: string): string {
  return children.find((child) => child.name === name)?.text.trim() ?? ''
}
