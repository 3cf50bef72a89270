/**
 * XML from clients, element by element. Document types are refused, so the only entities are XML's own five and
 * characters by their number: nothing can grow or reach out of the document. Throws CORRUPTION for XML that is not
 * well-formed, TOO_LARGE for an element of too many attributes.
 */

import { createRequire } from 'node:module'
import type * as Saxes from 'saxes'
import { tooMany } from '../../model/decode-limits.ts'
import { HBaseError, isHBaseError } from '../../model/errors.ts'
import { xmlText } from './unicode.ts'

/** Names are local names, after their namespace if they have one: `{urn:x}name`. The root's depth is 1. */
export interface XmlHandler {
  open(name: string, attributes: XmlAttributes, depth: number): void
  /** `text`: the character data after the last child. JAXB forgets character data before a child. */
  close(name: string, text: string, depth: number): void
}

/** The parser's own object, so that a look-up by name costs nothing. */
export type XmlAttributes = Saxes.SaxesTagNS['attributes']

/** The parser keeps the attributes of one element as objects. */
const ATTRIBUTES_MAX = 10_000
/** The most characters of a document that an error repeats. */
const SHOWN_MAX = 100

const XMLNS = 'http://www.w3.org/2000/xmlns/'

let loaded: typeof Saxes | undefined

/** The parser, loaded with the first document. */
function saxes(): typeof Saxes {
  loaded ??= createRequire(import.meta.url)('saxes') as typeof Saxes
  return loaded
}

function malformed(what: string): HBaseError {
  return new HBaseError('CORRUPTION', `malformed XML: ${what.slice(0, SHOWN_MAX)}`)
}

function qualifiedName({ local, uri }: { readonly local: string; readonly uri: string }): string {
  return uri === '' ? local : `{${uri}}${local}`
}

export function readXml(bytes: Buffer, depthMax: number, handler: XmlHandler): void {
  const document = xmlText(bytes)
  if (document === undefined) throw malformed('it is not in the encoding that it declares')
  const { SaxesParser } = saxes()
  const parser = new SaxesParser({ xmlns: true, position: false })
  let depth = 0
  let attributes = 0
  let text = ''
  parser.on('attribute', () => {
    if (++attributes > ATTRIBUTES_MAX) throw tooMany('attributes of an element', ATTRIBUTES_MAX)
  })
  parser.on('opentag', (tag) => {
    depth++
    attributes = 0
    if (depth > depthMax) throw malformed(`more than ${depthMax} elements within each other`)
    text = ''
    handler.open(qualifiedName(tag), tag.attributes, depth)
  })
  parser.on('closetag', (tag) => {
    handler.close(qualifiedName(tag), text, depth)
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
    parser.write(document).close()
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

/** HBase: JAXBContextResolver knows these root elements wherever it reads a document. */
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

/** Throws for another root than `name`: ILLEGAL_ARGUMENT for the root of another document, else CORRUPTION. */
export function checkRoot(found: string, name: string): void {
  if (found === name) return
  const code = KNOWN_ROOTS.has(found) ? 'ILLEGAL_ARGUMENT' : 'CORRUPTION'
  throw new HBaseError(code, `the root must be <${name}>, not <${found.slice(0, SHOWN_MAX)}>`)
}
