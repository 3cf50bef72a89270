import { expect, test } from 'vitest'
import { addAnswer, compareAnswers } from './compare-answers.ts'
import { answersOfShell } from './shell-transcript.ts'

test("the shell's output is taken apart into commands, without what differs from run to run", () => {
  const output = [
    'Version 2.4.17',
    "hbase:001:0> locate_region 't', 'r'",
    'HOST                REGION',
    ` vm:45611           {ENCODED => ${'0'.repeat(32)}, NAME => 't,5,1795424611698.${'1'.repeat(32)}.'}`,
    'Took 0.0126 seconds',
    'hbase:002:0> status',
    'ERROR: no master at localhost,16000,1795424611698',
    '\tat org.apache.hadoop.hbase.Nowhere',
    '=> #<Java::JavaUtil::HashMap:0x12345>',
    'hbase:003:0> status',
    'seen 2026-11-23 09:06:43',
  ]
  expect([...answersOfShell(output.join('\n'))]).toEqual([
    ["locate_region 't', 'r'", "HOST REGION\n          ADDRESS {ENCODED => HASH, NAME => 't,5,TIME.HASH.'}"],
    ['status', 'ERROR: no master at SERVER\n         => #<ID>'],
    ['status (2)', 'seen DATE'],
  ])
})

test('a step that differs is told, and one that is equal though it is listed', () => {
  const wanted = new Map([
    ['a', '1'],
    ['b', '2'],
    ['c', '3'],
  ])
  const found = new Map(wanted).set('a', '9').set('b', '8')
  addAnswer(found, 'a', 'again')
  const differing = new Set(['b', 'c'])
  expect(compareAnswers({ program: 'p', wanted, found, differing })).toEqual([
    'p: a\n  HBase: 1\n  found: 9',
    'p: c is equal: take it from the list',
    'p: a (2)\n  HBase: undefined\n  found: again',
  ])
})
