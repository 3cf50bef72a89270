import { describe, expect, test } from 'vitest'
import { bodyType, negotiate } from '../../../../src/doors/rest/http/media-type.ts'

const OFFERED = ['application/octet-stream', 'text/xml', 'application/json'] as const

describe('negotiation', () => {
  test.each([
    [undefined, 'application/octet-stream'],
    ['', 'application/octet-stream'],
    ['*', 'application/octet-stream'],
    ['*/*', 'application/octet-stream'],
    ['text/*', 'text/xml'],
    ['TEXT/XML', 'text/xml'],
    ['text/xml;q=0.1, application/json;q=0.9', 'application/json'],
    ['application/json, text/xml', 'application/json'],
    ['*/*;q=0.8, application/json;q=0.8', 'application/json'],
    ['application/json;q=0', 'application/json'],
    ['image/png, */*;q=0.1', 'application/octet-stream'],
    ['application/json; charset=utf-8', 'application/json;charset=utf-8'],
  ])('%s gives %s', (accept, contentType) => {
    expect(negotiate(accept, OFFERED).contentType).toBe(contentType)
  })

  test('refuses what is not offered, and malformed qualities', () => {
    expect(() => negotiate('image/png', OFFERED)).toThrow(expect.objectContaining({ status: 406 }))
    expect(() => negotiate('garbage', OFFERED)).toThrow(expect.objectContaining({ status: 406 }))
    expect(() => negotiate('text/xml;q=abc', OFFERED)).toThrow(expect.objectContaining({ status: 400 }))
  })

  test('takes bodies of the types that it knows', () => {
    expect(bodyType(undefined, OFFERED)).toBeUndefined()
    expect(bodyType('Application/JSON; charset=utf-8', OFFERED)).toBe('application/json')
    expect(bodyType('*/*', OFFERED)).toBe('application/octet-stream')
    expect(() => bodyType('image/png', OFFERED)).toThrow(expect.objectContaining({ status: 415 }))
    expect(() => bodyType('garbage', OFFERED)).toThrow(expect.objectContaining({ status: 400 }))
  })
})
