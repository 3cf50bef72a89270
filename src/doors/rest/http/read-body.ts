/** Bodies as what they state. HBase answers malformed XML with 400, and malformed JSON and protobuf with 500. */

import type { Limits } from '../../../gateway/limits.ts'
import { isHBaseError } from '../../../model/errors.ts'
import type { CellSet } from '../../../wire/rest/cell-set.ts'
import { decodeCellSetJson } from '../../../wire/rest/cell-set-json-decoder.ts'
import { decodeCellSetProtobuf } from '../../../wire/rest/cell-set-protobuf-decoder.ts'
import { decodeCellSetXml } from '../../../wire/rest/cell-set-xml-decoder.ts'
import { Refusal } from './errors.ts'
import { bodyType, CELL_SET_TYPES, type CellSetType, JSON_TYPE, XML } from './media-type.ts'
import type { RestRequest } from './request.ts'

/** Throws Refusal. */
export async function readCellSet(request: RestRequest, type: CellSetType, limits: Limits): Promise<CellSet> {
  const body = await request.body()
  const set = decoded(type, () => {
    if (type === JSON_TYPE) return decodeCellSetJson(body)
    return type === XML ? decodeCellSetXml(body, limits.depthMax) : decodeCellSetProtobuf(body)
  })
  if (set === undefined) throw new Refusal(400, 'the body has no cell set')
  if (set.fault !== undefined) throw new Refusal(400, set.fault)
  return set
}

/** How to read one kind of document in each of its forms. */
export interface DocumentDecoders<Document> {
  readonly json: (body: Buffer, depthMax: number) => Document
  readonly xml: (body: Buffer, depthMax: number) => Document
  readonly protobuf: (body: Buffer) => Document
}

/** Undefined for no body. Throws Refusal. */
export async function readDocument<Document>(
  request: RestRequest,
  limits: Limits,
  decoders: DocumentDecoders<Document>,
): Promise<Document | undefined> {
  const type = bodyType(request.contentType, CELL_SET_TYPES)
  const body = await request.body()
  if (type === undefined && body.length > 0) throw new Refusal(415, 'the body has no content type')
  if (type === undefined || (type === JSON_TYPE && body.length === 0)) return undefined
  return decoded(type, () => {
    if (type === JSON_TYPE) return decoders.json(body, limits.depthMax)
    return type === XML ? decoders.xml(body, limits.depthMax) : decoders.protobuf(body)
  })
}

function decoded<T>(type: CellSetType, decode: () => T): T {
  try {
    return decode()
  } catch (error) {
    if (!isHBaseError(error)) throw error
    throw new Refusal(type === XML && error.code === 'CORRUPTION' ? 400 : 500, error.message)
  }
}
