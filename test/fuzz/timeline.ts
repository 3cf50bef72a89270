import { readDomain } from '../../src/doors/timeline/documents/domain-reader.ts'
import { readEntities } from '../../src/doors/timeline/documents/entities-reader.ts'
import { decodeFst } from '../../src/doors/timeline/import/fst-decoder.ts'
import type { FuzzTarget } from '../harness/fuzz/fuzz-target.ts'
import { tryEach } from '../harness/fuzz/try-each.ts'
import { LIMITS } from './limits.ts'

const DOCUMENTS = [
  '{"entities":[{"entity":"a","entitytype":"t","starttime":5,"events":[{"timestamp":1,"eventtype":"e","eventinfo":{"a":[1,2.5]}}]}]}',
  '{"entities":[{"entity":1,"primaryfilters":{"u":["x",2,2.0,null]},"otherinfo":{"m":{"n":[{}]}},"relatedentities":{"r":["s"]}}]}',
  '{"id":"d","description":"x","readers":"*","writers":"a,b c","createdtime":5}',
]

const VALUES = [
  'ff',
  '001005f701fc0161ff00090000000000000440f0',
  '0001176a6176612e7574696c2e4c696e6b6564486173684d617002fc02696e00ffe80302fc0178f701fc0179fffc017af700',
  '000b0d018ee90ff6c373e0ee4e3f0ad2',
  'fc02ff3dd8ff00de',
]

export const timelineJson: FuzzTarget = {
  name: 'timeline-json',
  seeds: () => DOCUMENTS.map((text) => Buffer.from(text)),
  run: (input) => tryEach(input, [(body) => readEntities(body, LIMITS), readDomain]),
}

export const timelineFst: FuzzTarget = {
  name: 'timeline-fst',
  seeds: () => VALUES.map((hex) => Buffer.from(hex, 'hex')),
  run: (input) => tryEach(input, [decodeFst]),
}
