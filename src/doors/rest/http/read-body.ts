/** Reads and decodes bodies: cell sets and small documents. */

import type { Limits } from '../../../gateway/limits/limits.ts'
import type { DecodeLimits } from '../../../model/decode-limits.ts'
import { isHBaseError } from '../../../model/errors.ts'
import type { CellSet } from '../../../wire/rest/cell-set.ts'
import { decodeCellSetJson } from '../../../wire/rest/cell-set-json-decoder.ts'
import { decodeCellSetProtobuf } from '../../../wire/rest/cell-set-protobuf-decoder.ts'
import { decodeCellSetXml } from '../../../wire/rest/cell-set-xml-decoder.ts'
import { decodeTextRows } from '../../../wire/rest/text-rows-decoder.ts'
import { Refusal } from './errors.ts'
import { bodyType, CELL_SET_TYPES, type CellSetType, JSON_TYPE, XML } from './media-type.ts'
import type { RestRequest } from './request.ts'
import { isTextJson, TEXT_JSON } from './rows-type.ts'

const CELL_SET_DECODERS: DocumentDecoders<CellSet | undefined> = {
  json: decodeCellSetJson,
  xml: decodeCellSetXml,
  protobuf: decodeCellSetProtobuf,
  textJson: decodeTextRows,
}

/** The media type of a body with a cell set. */
export type BodyType = CellSetType | typeof TEXT_JSON

/** The body's bytes. Throws as RestRequest.body. */
export function readCellSetBody(request: RestRequest, type: BodyType): Promise<Buffer> {
  return request.body(brokenGzipStatus(type))
}

/** Decodes a body that must have a cell set. Throws Refusal. */
export function decodeCellSet(type: BodyType, body: Buffer, limits: Limits): CellSet {
  const set = decodeDocument({ type, body }, limits, CELL_SET_DECODERS)
  if (set === undefined) throw new Refusal(400, 'the body has no cell set')
  if (set.fault !== undefined) throw new Refusal(400, set.fault)
  return set
}

/** The decoders of one kind of document. */
export interface DocumentDecoders<Document> {
  readonly json: (body: Buffer, limits: DecodeLimits) => Document
  readonly xml: (body: Buffer, limits: DecodeLimits) => Document
  readonly protobuf: (body: Buffer, limits: DecodeLimits) => Document
  /** JSON with `cells=text`; absent for documents without bytes. */
  readonly textJson?: (body: Buffer, limits: DecodeLimits) => Document
}

/** Reads and decodes the body; undefined where the request has none. Throws Refusal. */
export async function readDocument<Document>(
  request: RestRequest,
  limits: Limits,
  decoders: DocumentDecoders<Document>,
): Promise<Document | undefined> {
  const body = await readDocumentBody(request, decoders)
  return body && decodeDocument(body, limits, decoders)
}

/** A document before it is decoded. */
export interface DocumentBody {
  readonly type: BodyType
  readonly body: Buffer
}

/** Reads the body; undefined where the request has none. Throws Refusal. */
export async function readDocumentBody(
  request: RestRequest,
  decoders: Pick<DocumentDecoders<unknown>, 'textJson'>,
): Promise<DocumentBody | undefined> {
  const others = decoders.textJson === undefined ? [] : [TEXT_JSON]
  const isText = others.length > 0 && isTextJson(request.contentType)
  const type = isText ? TEXT_JSON : bodyType(request.contentType, CELL_SET_TYPES, others)
  const body = await request.body(brokenGzipStatus(type))
  if (type === undefined && body.length > 0) throw new Refusal(415, 'the body has no content type')
  if (type === undefined || ((type === JSON_TYPE || type === TEXT_JSON) && body.length === 0))
    return undefined
  return { type, body }
}

/** QUIRK rest-bytes-zipped-cut-text-xml: a broken gzip stream is a 400 for XML, and a 500 for other types. */
function brokenGzipStatus(type: BodyType | undefined): number {
  return type === XML ? 400 : 500
}

/** Throws Refusal and TOO_LARGE. */
export function decodeDocument<Document>(
  { type, body }: DocumentBody,
  limits: DecodeLimits,
  decoders: DocumentDecoders<Document>,
): Document {
  try {
    if (type === TEXT_JSON) return decoders.textJson!(body, limits)
    if (type === JSON_TYPE) return decoders.json(body, limits)
    return type === XML ? decoders.xml(body, limits) : decoders.protobuf(body, limits)
  } catch (error) {
    if (!isHBaseError(error) || error.code === 'TOO_LARGE') throw error
    // QUIRK rest-write-json-bad-x-ba2df4: malformed JSON and protobuf is a 500, malformed XML a 400.
    const isOwn = type === TEXT_JSON || (type === XML && error.code === 'CORRUPTION')
    throw new Refusal(isOwn ? 400 : 500, error.message)
  }
}
