import { expect, test } from 'vitest'
import { RequestCounters, resourceOfPattern } from '../../../../src/doors/rest/http/request-counters.ts'
import { DoorCounters } from '../../../../src/gateway/observing/metrics.ts'

test('methods that a client makes up share one count', () => {
  const counters = new RequestCounters(new DoorCounters(), 'row')
  expect(counters.forMethod('GET')).toBe(counters.forMethod('GET'))
  expect(counters.forMethod('GET')).not.toBe(counters.forMethod('PUT'))
  for (const method of ['PATCH', '__proto__', 'constructor', 'toString', '']) {
    expect(counters.forMethod(method), method).toBe(counters.forMethod('other'))
  }
})

test.each([
  ['/', 'tables'],
  ['/version/rest', 'version/rest'],
  ['/namespaces/:name/tables', 'namespaces/tables'],
  ['/:name/scanner/:id', 'scanner'],
])('%s is %s', (pattern, resource) => {
  expect(resourceOfPattern(pattern)).toBe(resource)
})
