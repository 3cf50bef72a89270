import { expect, test } from 'vitest'
import { addPut } from '../../../src/doors/thrift/service/thrift2/mutations.ts'
import { getFromTGet, scanFromTScan } from '../../../src/doors/thrift/service/thrift2/queries.ts'
import { authorizationsIn, expressionIn } from '../../../src/gateway/policies/labels/label-attributes.ts'
import { MutationBatch } from '../../../src/model/mutation.ts'
import { decodeScannerJson, decodeScannerXml } from '../../../src/wire/rest/scanner-spec.ts'
import { expressionMessage } from '../../../src/wire/rpc/label-messages.ts'

const ROW = Buffer.from('r')
const COLUMN = { family: Buffer.from('f'), qualifier: Buffer.from('q'), value: Buffer.from('v') }

test("a put's expression goes before the attribute of that name", () => {
  const batch = new MutationBatch()
  const attributes = [
    [Buffer.from('VISIBILITY'), expressionMessage('other')],
    [Buffer.from('own'), ROW],
  ] as const
  addPut(batch, { row: ROW, columnValues: [COLUMN], cellVisibility: { expression: 'a&b' }, attributes })
  const [options] = batch.options
  expect(expressionIn(options!.attributes)).toBe('a&b')
  expect(options!.attributes!.get('own')).toEqual(ROW)
})

test("a read's authorizations and attributes are those of the query", () => {
  const attributes = [[Buffer.from('own'), ROW]] as const
  const asked = { row: ROW, authorizations: { labels: ['a', 'größe'] }, attributes }
  expect(authorizationsIn(getFromTGet(asked).attributes)).toEqual(['a', 'größe'])
  expect(getFromTGet(asked).attributes!.get('own')).toEqual(ROW)
  const { attributes: ofScan } = scanFromTScan({ maxVersions: 1, authorizations: { labels: [] } })
  expect(authorizationsIn(ofScan)).toEqual([])
  expect(getFromTGet({ row: ROW }).attributes).toBeUndefined()
})

test('bytes that are no labels are refused', () => {
  const attributes = new Map([['VISIBILITY', Buffer.of(0xff, 0xff)]])
  expect(() => expressionIn(attributes)).toThrow('InvalidProtocolBufferException')
  expect(() => authorizationsIn(attributes)).toThrow('DeserializationException')
})

test("a scanner of REST names labels as HBase's does", () => {
  const limits = { elementsMax: 100, depthMax: 10 } as Parameters<typeof decodeScannerJson>[1]
  expect(decodeScannerJson(Buffer.from('{"labels": ["a", "b"]}'), limits).labels).toEqual(['a', 'b'])
  const xml = '<Scanner batch="1"><labels>a</labels><labels>b</labels></Scanner>'
  expect(decodeScannerXml(Buffer.from(xml), limits).labels).toEqual(['a', 'b'])
})
