import type { DocumentFormat, RestDocument } from '../../../wire/rest/document.ts'
import { XML_DECLARATION } from '../../../wire/rest/xml-writer.ts'
import type { Answer } from './answer.ts'
import { JSON_TYPE, negotiate, PROTOBUF, PROTOBUF_IETF, TEXT, XML } from './media-type.ts'

const DOCUMENT_TYPES = [TEXT, XML, JSON_TYPE, PROTOBUF, PROTOBUF_IETF] as const
type DocumentType = (typeof DOCUMENT_TYPES)[number]

/** The types of a document that has no protobuf form. */
const PLAIN_TYPES: readonly DocumentType[] = [TEXT, XML, JSON_TYPE]

const FORMATS: Readonly<Record<DocumentType, DocumentFormat>> = {
  [TEXT]: 'text',
  [XML]: 'xml',
  [JSON_TYPE]: 'json',
  [PROTOBUF]: 'protobuf',
  [PROTOBUF_IETF]: 'protobuf',
}

/** The document in the form that the client prefers. Throws Refusal 406. */
export function documentAnswer(
  accept: string | undefined,
  document: RestDocument | Omit<RestDocument, 'protobuf'>,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  const types: readonly DocumentType[] = 'protobuf' in document ? DOCUMENT_TYPES : PLAIN_TYPES
  const { type, contentType } = negotiate(accept, types)
  return { status: 200, contentType, headers, body: documentBytes(document, FORMATS[type]) }
}

function documentBytes(
  document: RestDocument | Omit<RestDocument, 'protobuf'>,
  format: DocumentFormat,
): Buffer {
  switch (format) {
    case 'text':
      return Buffer.from(document.text())
    case 'xml':
      return Buffer.from(XML_DECLARATION + document.xml())
    case 'json':
      return Buffer.from(jacksonText(document.json()))
    case 'protobuf':
      return Buffer.from('protobuf' in document ? document.protobuf() : [])
  }
}

const ESCAPED = /\\(?:u[\da-f]{4}|.)|[\ud800-\udfff]/g

/** JSON with the escapes of Jackson's UTF8JsonGenerator: in capitals, and also for what is beyond U+FFFF. */
function jacksonText(value: unknown): string {
  return JSON.stringify(value).replace(ESCAPED, (found) => {
    if (found.startsWith('\\u')) return `\\u${found.slice(2).toUpperCase()}`
    return found.startsWith('\\') ? found : `\\u${found.charCodeAt(0).toString(16).toUpperCase()}`
  })
}
