/**
 * XML from clients, element by element. There are no document types here, so no entities but XML's own five and
 * characters by their number: nothing can grow or reach out of the document. Throws CORRUPTION for what is not
 * well-formed.
 */

import { SaxesParser, type SaxesTagNS } from 'saxes'
import { HBaseError, isHBaseError } from '../../model/errors.ts'

/** Names are local ones; those of a namespace stand behind it: `{urn:x}name`. Depth: the root's is 1. */
export interface XmlHandler {
  open(name: string, attributes: XmlAttributes, depth: number): void
  /** `text`: the character data after the last child. JAXB forgets what stands before one. */
  close(name: string, text: string, depth: number): void
}

/** As the parser has them, so that reading one by its name costs nothing. */
export type XmlAttributes = SaxesTagNS['attributes']

/** Characters of a document that an error repeats. */
const SHOWN_MAX = 100

const XMLNS = 'http://www.w3.org/2000/xmlns/'

function malformed(what: string): HBaseError {
  return new HBaseError('CORRUPTION', `malformed XML: ${what.slice(0, SHOWN_MAX)}`)
}

function nameOf({ local, uri }: { readonly local: string; readonly uri: string }): string {
  return uri === '' ? local : `{${uri}}${local}`
}

export function readXml(bytes: Buffer, depthMax: number, handler: XmlHandler): void {
  const parser = new SaxesParser({ xmlns: true, position: false })
  let depth = 0
  let text = ''
  parser.on('opentag', (tag) => {
    depth++
    if (depth > depthMax) throw malformed(`more than ${depthMax} elements within each other`)
    text = ''
    handler.open(nameOf(tag), tag.attributes, depth)
  })
  parser.on('closetag', (tag) => {
    handler.close(nameOf(tag), text, depth)
    depth--
    text = ''
  })
  parser.on('text', (part) => {
    text += part
  })
  parser.on('cdata', (part) => {
    text += part
  })
  parser.on('doctype', () => {
    throw malformed('a document type is not allowed')
  })
  parser.on('error', (error) => {
    throw malformed(error.message)
  })
  try {
    parser.write(bytes.toString()).close()
  } catch (error) {
    throw isHBaseError(error) ? error : malformed(String(error))
  }
}

/** Local names and values, without the declarations of namespaces. */
export function* attributesOf(attributes: XmlAttributes): Generator<readonly [name: string, value: string]> {
  for (const key in attributes) {
    const { uri, local, value } = attributes[key]!
    if (uri !== XMLNS) yield [local, value]
  }
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
export function checkRoot(found: string, name: string): void {
  if (found === name) return
  const code = KNOWN_ROOTS.has(found) ? 'ILLEGAL_ARGUMENT' : 'CORRUPTION'
  throw new HBaseError(code, `the root must be <${name}>, not <${found.slice(0, SHOWN_MAX)}>`)
}
