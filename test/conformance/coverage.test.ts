/** Every method of both Thrift services, and every field of what they take, occurs in a case; or says here why not. */

import { expect, test } from 'vitest'
import { Mistyped, type ThriftRequest } from '../../conformance/src/runner/case.ts'
import { SCENARIOS } from '../../conformance/src/scenarios.ts'
import { loadSchema } from '../../src/wire/thrift/idl-files.ts'
import type { MethodSchema, ThriftType } from '../../src/wire/thrift/schema.ts'

/** `Struct.field` or `method`, and why no case has it. */
const LEFT_OUT: Readonly<Record<ThriftRequest['door'], Readonly<Record<string, string>>>> = {
  thrift1: {},
  thrift2: {
    'TServerName.hostName': 'HBase asks the servers that are named, and does not answer where there is none',
    'TServerName.port': 'as hostName',
    'TServerName.startCode': 'as hostName',
    grant: 'HBase 2.6.1 does not have it: test/gateway/policies/access/doors.test.ts asks it',
    'grant_args.info': 'as grant',
    'revoke_args.info': 'as grant',
    revoke: 'as grant',
    'TAccessControlEntity.username': 'as grant',
    'TAccessControlEntity.scope': 'as grant',
    'TAccessControlEntity.actions': 'as grant',
    'TAccessControlEntity.tableName': 'as grant',
    'TAccessControlEntity.nsName': 'as grant',
  },
}

const SERVICES = { thrift1: 'Hbase', thrift2: 'THBaseService' } as const

/** Adds the type's fields, and those of the structs in it. */
function addFields(type: ThriftType, fields: Set<string>): void {
  if (type.kind === 'list' || type.kind === 'set') addFields(type.element, fields)
  if (type.kind === 'map') addFields(type.value, fields)
  if (type.kind !== 'struct') return
  for (const { name, type: inner } of type.struct.fields) {
    fields.add(`${type.struct.name}.${name}`)
    addFields(inner, fields)
  }
}

/** Adds the fields that the value states. */
function addStated(type: ThriftType, value: unknown, fields: Set<string>): void {
  if (value instanceof Mistyped) return
  if (type.kind === 'list' || type.kind === 'set') {
    for (const each of value as readonly unknown[]) addStated(type.element, each, fields)
  } else if (type.kind === 'map') {
    for (const [, each] of value as Iterable<readonly [unknown, unknown]>) addStated(type.value, each, fields)
  } else if (type.kind === 'struct') {
    const stated = value as Readonly<Record<string, unknown>>
    for (const field of type.struct.fields) {
      if (stated[field.name] === undefined) continue
      fields.add(`${type.struct.name}.${field.name}`)
      addStated(field.type, stated[field.name], fields)
    }
  }
}

function requestsOf(door: ThriftRequest['door']): ThriftRequest[] {
  const requests = SCENARIOS.flatMap(({ cases }) => cases.flatMap((each) => each.requests))
  return requests.filter((request): request is ThriftRequest => request.door === door)
}

function argumentsOf({ args }: MethodSchema): ThriftType {
  return { kind: 'struct', struct: args }
}

test.each(['thrift1', 'thrift2'] as const)('cases of %s have every method and every field', (door) => {
  const { methods } = loadSchema(door).services.get(SERVICES[door])!
  const declared = new Set<string>()
  for (const method of methods.values()) {
    declared.add(method.name)
    addFields(argumentsOf(method), declared)
  }
  const found = new Set<string>()
  for (const { method, args } of requestsOf(door)) {
    found.add(method)
    addStated(argumentsOf(methods.get(method)!), args, found)
  }
  const missing = [...declared].filter((name) => !found.has(name))
  const isMethod = (name: string): boolean => methods.has(name)
  const count = (names: Iterable<string>, wanted: boolean): number =>
    [...names].filter((name) => isMethod(name) === wanted).length
  const cases = SCENARIOS.flatMap((scenario) => scenario.cases).filter(({ requests }) =>
    requests.some((request) => request.door === door),
  )
  process.stdout.write(
    `${door}: ${cases.length} cases; ${count(found, true)} of ${count(declared, true)} methods, ` +
      `${count(found, false)} of ${count(declared, false)} fields\n`,
  )
  expect(missing.sort()).toEqual(Object.keys(LEFT_OUT[door]).sort())
})
