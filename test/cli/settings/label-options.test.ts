import { expect, test } from 'vitest'
import { labelSettings, parseControllers } from '../../../src/cli/settings/label-options.ts'

const PACKAGE = 'org.apache.hadoop.hbase.security.visibility.'

test('a list of coprocessors that names the controller of labels turns them on', () => {
  const access = 'org.apache.hadoop.hbase.security.access.AccessController'
  expect(parseControllers(`${access}, ${PACKAGE}VisibilityController`)).toBe(true)
  expect(parseControllers(access)).toBe(false)
})

test('without labels there are no settings of them', () => {
  expect(labelSettings(false, new Map())).toBeUndefined()
})

test('settings by the keys of HBase', () => {
  expect(labelSettings(true, new Map())).toEqual({
    checksAuths: false,
    generators: ['feed-user', 'defined-set'],
  })
  const properties = new Map([
    ['hbase.security.visibility.mutations.checkauths', 'true'],
    ['hbase.regionserver.scan.visibility.label.generator.class', `${PACKAGE}EnforcingScanLabelGenerator`],
  ])
  expect(labelSettings(true, properties)).toEqual({ checksAuths: true, generators: ['enforcing'] })
})

test('a generator that Tidegate does not have', () => {
  const properties = new Map([
    ['hbase.regionserver.scan.visibility.label.generator.class', 'com.example.Own'],
  ])
  expect(() => labelSettings(true, properties)).toThrow('com.example.Own is no class that Tidegate has')
})
