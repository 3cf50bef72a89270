import { expect, test } from 'vitest'
import { HTTP } from '../../src/recording/http-wire.ts'

test.each([
  'X-Hadoop-Delegation-Token',
  'x-auth-token',
  'X-Amz-Security-Token',
  'X-Api-Key',
  'Authorization',
])('the value of %s is not recorded', (name) => {
  const request = Buffer.from(`GET / HTTP/1.1\r\nHost: h\r\n${name}: s3cret\r\n\r\n`)
  const kept = HTTP.redacted(request, 'request').toString()
  expect(kept).toContain(`${name}: `)
  expect(kept).toContain('Host: h')
  expect(kept).not.toContain('s3cret')
})
