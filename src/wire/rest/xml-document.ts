/**
 * XML from clients as a tree. There are no document types here, so no entities but XML's own five and characters by
 * their number: nothing can grow or reach out of the document. Throws CORRUPTION for what is not well-formed.
 */

import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { HBaseError } from '../../model/errors.ts'

export interface XmlElement {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly XmlElement[]
  /** The character data after the last child: JAXB forgets what stands before one. */
  readonly text: string
}

const ATTRIBUTES = ':@'
const TEXT = '#text'
const CDATA = '#cdata'
type Node = Readonly<Record<string, unknown>>

const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }
const REFERENCE = /&([^;&]{0,32});?/g

function malformed(what: string): HBaseError {
  return new HBaseError('CORRUPTION', `malformed XML: ${what}`)
}

function parser(depthMax: number): XMLParser {
  return new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    attributeNamePrefix: '',
    parseTagValue: false,
    parseAttributeValue: false,
    trimValues: false,
    processEntities: false,
    ignoreDeclaration: true,
    ignorePiTags: true,
    cdataPropName: CDATA,
    maxNestedTags: depthMax,
  })
}

/** The root element. */
export function parseXml(bytes: Buffer, depthMax: number): XmlElement {
  const source = bytes.toString().replace(/^\uFEFF/, '')
  if (source.includes('<!DOCTYPE')) throw malformed('a document type is not allowed')
  if (source.slice(source.lastIndexOf('>') + 1).trim() !== '')
    throw malformed('text follows the root element')
  const valid = XMLValidator.validate(source)
  if (valid !== true) throw malformed(`${valid.err.msg} (line ${valid.err.line}, column ${valid.err.col})`)
  let nodes: Node[]
  try {
    nodes = parser(depthMax).parse(source) as Node[]
  } catch (cause) {
    throw malformed(cause instanceof Error ? cause.message : String(cause))
  }
  const stray = nodes.some((node) => TEXT in node && String(node[TEXT]).trim().length > 0)
  const roots = nodes.filter((node) => !(TEXT in node)).map(elementOf)
  if (roots.length !== 1 || stray) throw malformed('it must have one root element and nothing beside it')
  return roots[0]!
}

function elementOf(node: Node): XmlElement {
  const name = Object.keys(node).find((key) => key !== ATTRIBUTES) ?? ''
  const attributes = new Map<string, string>()
  for (const [key, value] of Object.entries((node[ATTRIBUTES] as Node | undefined) ?? {})) {
    attributes.set(key, unescape(String(value)))
  }
  const children: XmlElement[] = []
  let text = ''
  for (const child of node[name] as Node[]) {
    if (TEXT in child) text += unescape(String(child[TEXT]))
    else if (CDATA in child) text += cdataText(child[CDATA] as Node[])
    else {
      children.push(elementOf(child))
      text = ''
    }
  }
  return { name, attributes, children, text }
}

function cdataText(nodes: readonly Node[]): string {
  return nodes.map((node) => (TEXT in node ? String(node[TEXT]) : '')).join('')
}

function unescape(text: string): string {
  return text.includes('&') ? text.replace(REFERENCE, character) : text
}

function character(reference: string, name: string): string {
  const numeric = /^#(?:(\d{1,7})|x([\da-fA-F]{1,6}))$/.exec(name)
  if (numeric !== null && reference.endsWith(';')) {
    const code = numeric[1] === undefined ? Number.parseInt(numeric[2]!, 16) : Number(numeric[1])
    if (code > 0 && code <= 0x10ffff) return String.fromCodePoint(code)
  }
  const named = NAMED[name]
  if (named === undefined || !reference.endsWith(';')) throw malformed(`"${reference}" is no character`)
  return named
}

/** The documents of the REST interface: each is known wherever one is read. */
const KNOWN_ROOTS: ReadonlySet<string> = new Set([
  'Cell',
  'CellSet',
  'ClusterStatus',
  'ClusterVersion',
  'ColumnSchema',
  'NamespaceProperties',
  'Namespaces',
  'Region',
  'Row',
  'Scanner',
  'TableInfo',
  'TableList',
  'TableSchema',
  'Version',
  'table',
])

/** Throws for another root than `name`: ILLEGAL_ARGUMENT for that of another document, else CORRUPTION. */
export function checkRoot({ name: found }: XmlElement, name: string): void {
  if (found === name) return
  const code = KNOWN_ROOTS.has(found) ? 'ILLEGAL_ARGUMENT' : 'CORRUPTION'
  throw new HBaseError(code, `the root must be <${name}>, not <${found}>`)
}
