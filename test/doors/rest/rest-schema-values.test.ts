import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RestServer, startRestServer } from './rest-server.ts'

let server: RestServer

beforeAll(async () => {
  server = await startRestServer()
})

afterAll(() => server.close())

describe('a schema that the master refuses', () => {
  test.each([
    ['"TTL":"-1"', 503, 'TTL for column family f must be positive.'],
    ['"TTL":"0"', 503, 'TTL for column family f must be positive.'],
    ['"REPLICATION_SCOPE":"3"', 503, 'Replication scope for column family f is 3 which is invalid.'],
    ['"VERSIONS":"x"', 400, 'VERSIONS of column family f must be a whole number. For input string: "x"'],
  ])('%s', async (attribute, status, reason) => {
    const reply = await server.put('/refused/schema', `{"ColumnSchema":[{"name":"f",${attribute}}]}`)
    expect([reply.status, reply.text]).toEqual([status, expect.stringContaining(reason)])
    expect((await server.get('/refused/exists')).status).toBe(404)
  })

  test('a family that is there twice', async () => {
    const reply = await server.put('/refused/schema', '{"ColumnSchema":[{"name":"f"},{"name":"f"}]}')
    expect([reply.status, reply.text]).toEqual([
      400,
      "Bad request\r\njava.lang.IllegalArgumentException: Family 'f' already exists so cannot be added\r\n",
    ])
  })
})

test('an empty value takes an attribute away, or back to its default', async () => {
  const family = '{"name":"f","IN_MEMORY":"","MINE":"","TTL":""}'
  expect((await server.put('/emptied/schema', `{"ColumnSchema":[${family}],"OWN":""}`)).status).toBe(201)
  const schema = JSON.parse((await server.get('/emptied/schema')).text) as {
    OWN?: string
    ColumnSchema: [Record<string, string>]
  }
  expect(schema.OWN).toBeUndefined()
  expect(schema.ColumnSchema[0]).toMatchObject({ IN_MEMORY: 'false', TTL: '2147483647' })
  expect(schema.ColumnSchema[0]).not.toHaveProperty('MINE')
})

test('a schema in JSON escapes what Jackson escapes', async () => {
  const value = JSON.stringify('\u00e9\u{1f600}\u0001\\u00ab')
  expect((await server.put('/letters/schema', `{"ColumnSchema":[{"name":"f"}],"OWN":${value}}`)).status).toBe(
    201,
  )
  const { text } = await server.get('/letters/schema')
  expect(text).toContain('"OWN":"\u00e9\\uD83D\\uDE00\\u0001\\\\u00ab"')
})
