import { manyATurn } from '../../../model/many-a-turn.ts'
import type { Steps } from '../../../model/steps.ts'
import type {
  DocumentFormat,
  DocumentParts,
  LongDocument,
  RestDocument,
} from '../../../wire/rest/document.ts'
import { jacksonText } from '../../../wire/rest/jackson-text.ts'
import { XML_DECLARATION } from '../../../wire/rest/xml-writer.ts'
import type { Answer } from './answer.ts'
import { JSON_TYPE, negotiate, PROTOBUF, PROTOBUF_IETF, TEXT, XML } from './media-type.ts'

const DOCUMENT_TYPES = [TEXT, XML, JSON_TYPE, PROTOBUF, PROTOBUF_IETF] as const
type DocumentType = (typeof DOCUMENT_TYPES)[number]

/** The media types of a document that has no protobuf form. */
const PLAIN_TYPES: readonly DocumentType[] = [TEXT, XML, JSON_TYPE]

const FORMATS: Readonly<Record<DocumentType, DocumentFormat>> = {
  [TEXT]: 'text',
  [XML]: 'xml',
  [JSON_TYPE]: 'json',
  [PROTOBUF]: 'protobuf',
  [PROTOBUF_IETF]: 'protobuf',
}

/** The document in the media type that the client prefers. Throws Refusal 406. */
export function documentAnswer(
  accept: string | undefined,
  document: RestDocument | Omit<RestDocument, 'protobuf'>,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  const types: readonly DocumentType[] = 'protobuf' in document ? DOCUMENT_TYPES : PLAIN_TYPES
  const { type, contentType } = negotiate(accept, types)
  return { status: 200, contentType, headers, body: documentBytes(document, FORMATS[type]) }
}

/** As documentAnswer; the event loop runs between parts of the document. */
export async function longDocumentAnswer(
  accept: string | undefined,
  document: LongDocument,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const { type, contentType } = negotiate(accept, DOCUMENT_TYPES)
  const format = FORMATS[type]
  const body = await manyATurn(gathered(format === 'xml' ? XML_DECLARATION : '', document[format]()))
  return { status: 200, contentType, headers, body }
}

/** Characters that are encoded as UTF-8 at a time. */
const TEXT_LENGTH = 16 * 1024

function* gathered(begin: string, parts: DocumentParts): Steps<Buffer> {
  const bytes: Uint8Array[] = []
  let text = begin
  for (const part of parts) {
    if (typeof part === 'string') text += part
    else bytes.push(part)
    if (text.length >= TEXT_LENGTH) {
      bytes.push(Buffer.from(text))
      text = ''
    }
    yield
  }
  return Buffer.concat([...bytes, Buffer.from(text)])
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
