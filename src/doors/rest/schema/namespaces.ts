/** Namespaces: their list, and the properties and tables of each. POST creates a namespace, PUT alters it, DELETE drops it. */

import { tablesOfNamespace } from '../../../gateway/catalog/listed-tables.ts'
import { isHBaseError } from '../../../model/errors.ts'
import { checkNamespaceName, qualifierOf } from '../../../model/table-name.ts'
import type { Call } from '../../../store/call.ts'
import { javaHashOrder, NAMESPACE_PROPERTIES } from '../../../wire/rest/java-hash-order.ts'
import { namespacesDocument, tableListDocument } from '../../../wire/rest/name-lists.ts'
import {
  decodeNamespaceJson,
  decodeNamespaceProtobuf,
  decodeNamespaceXml,
  namespaceDocument,
} from '../../../wire/rest/namespace-properties.ts'
import { type Answer, OK } from '../http/answer.ts'
import { documentAnswer } from '../http/document-answer.ts'
import { Refusal, withStatus } from '../http/errors.ts'
import { JSON_TYPE, negotiate, TEXT } from '../http/media-type.ts'
import { readDocument } from '../http/read-body.ts'
import type { RestRequest } from '../http/request.ts'
import type { RestService } from '../service/rest-service.ts'

const DECODERS = { json: decodeNamespaceJson, xml: decodeNamespaceXml, protobuf: decodeNamespaceProtobuf }

export async function listNamespaces({ store }: RestService, request: RestRequest): Promise<Answer> {
  const namespaces = await store.catalog.listNamespaces(request.call)
  return documentAnswer(request.accept, namespacesDocument(namespaces.map(({ name }) => name)))
}

export async function getNamespace(
  { store }: RestService,
  request: RestRequest,
  name: string,
): Promise<Answer> {
  try {
    const { properties } = await store.catalog.namespace(name, request.call)
    return documentAnswer(
      request.accept,
      namespaceDocument(name, javaHashOrder(properties, NAMESPACE_PROPERTIES)),
    )
  } catch (error) {
    throw lateFailure(error, `Cannot retrieve info for '${name}'.`)
  }
}

export async function namespaceTables(
  { store }: RestService,
  request: RestRequest,
  name: string,
): Promise<Answer> {
  try {
    const tables = await tablesOfNamespace(store.catalog, name, request.call)
    return documentAnswer(request.accept, tableListDocument(tables.map((table) => qualifierOf(table.name))))
  } catch (error) {
    throw lateFailure(error, `Cannot retrieve table list for '${name}'.`)
  }
}

/** QUIRK rest-namespace-other-namespaces-no-ns: a missing namespace is a 500. */
function lateFailure(error: unknown, line: string): unknown {
  return isHBaseError(error) && error.code === 'NAMESPACE_NOT_FOUND' ? withStatus(500, error, line) : error
}

export async function createNamespace(
  service: RestService,
  request: RestRequest,
  name: string,
): Promise<Answer> {
  const properties = await readProperties(service, request)
  if (await namespaceExists(service, name, request.call)) {
    throw forbidden(`Namespace '${name}' already exists.  Use REST PUT to alter the existing namespace.`)
  }
  checkNamespaceName(name)
  await service.store.catalog.createNamespace({ name, properties }, request.call)
  return { status: 201, headers: { Location: request.address } }
}

/** QUIRK rest-namespace-put-nothing: the answer's body is the namespace's address. */
export async function alterNamespace(
  service: RestService,
  request: RestRequest,
  name: string,
): Promise<Answer> {
  const properties = await readProperties(service, request)
  if (!(await namespaceExists(service, name, request.call))) {
    throw forbidden(`Namespace '${name}' does not exist. Use REST POST to create the namespace.`)
  }
  const { type, contentType } = negotiate(request.accept, [TEXT, JSON_TYPE])
  await service.store.catalog.modifyNamespace({ name, properties }, request.call)
  const address = type === JSON_TYPE ? JSON.stringify(request.address) : request.address
  return { status: 200, contentType, body: Buffer.from(address) }
}

export async function deleteNamespace(
  service: RestService,
  request: RestRequest,
  name: string,
): Promise<Answer> {
  if (!(await namespaceExists(service, name, request.call))) {
    const text = `Namespace '${name}' does not exists.  Cannot drop namespace.`
    return { status: 404, contentType: TEXT, body: Buffer.from(text) }
  }
  await service.store.catalog.deleteNamespace(name, request.call)
  return OK
}

async function namespaceExists({ store }: RestService, name: string, call: Call): Promise<boolean> {
  const namespaces = await store.catalog.listNamespaces(call)
  return namespaces.some((namespace) => namespace.name === name)
}

async function readProperties({ limits }: RestService, request: RestRequest): Promise<Map<string, string>> {
  return (await readDocument(request, limits, DECODERS)) ?? new Map()
}

function forbidden(text: string): Refusal {
  return new Refusal(403, text, {}, text)
}
