import { afterEach, expect, test, vi } from 'vitest'
import { parsedSettings } from '../parsed-settings.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

test.each([
  [['--read-only'], true],
  [['--read-only', 'no'], false],
  [['--read-only', '--rest', '1'], true],
  [['--read-only=off'], false],
])('%j', (args, readOnly) => {
  expect(parsedSettings(...args).readOnly).toBe(readOnly)
})

test.each([
  ['1', true],
  ['TRUE', true],
  ['false', false],
  ['0', false],
])('TIDEGATE_READ_ONLY=%s', (text, readOnly) => {
  vi.stubEnv('TIDEGATE_READ_ONLY', text)
  expect(parsedSettings().readOnly).toBe(readOnly)
  expect(parsedSettings('--read-only').readOnly).toBe(true)
})

test('origins come one by one, or between commas', () => {
  const args = ['--cors-origin', 'https://a.example', '--cors-origin', 'http://b.example:81, *']
  expect(parsedSettings(...args).corsOrigins).toEqual(['https://a.example', 'http://b.example:81', '*'])
  vi.stubEnv('TIDEGATE_CORS_ORIGIN', 'https://c.example,https://d.example')
  expect(parsedSettings().corsOrigins).toEqual(['https://c.example', 'https://d.example'])
  expect(parsedSettings('--cors-origin', 'https://e.example').corsOrigins).toEqual(['https://e.example'])
})
