/** The resources other than rows, by path. */

import type { Answer } from './http/answer.ts'
import type { RestRequest } from './http/request.ts'
import { getOpenApi } from './openapi/document.ts'
import { createScanner } from './scans/scanner.ts'
import { deleteScanner, readScanner } from './scans/scanner-read.ts'
import { getClusterVersion, getStatus, getVersion } from './schema/cluster.ts'
import {
  alterNamespace,
  createNamespace,
  deleteNamespace,
  getNamespace,
  listNamespaces,
  namespaceTables,
} from './schema/namespaces.ts'
import { deleteSchema, getSchema, postSchema, putSchema } from './schema/schema.ts'
import { listTables, tableExists, tableRegions } from './schema/tables.ts'
import type { RestService } from './service/rest-service.ts'

type Method = 'GET' | 'PUT' | 'POST' | 'DELETE'

/** `name`: the first variable part of the path, decoded; `id`: the second. */
type Handler = (request: RestRequest, name: string, id: string) => Answer | Promise<Answer>
export type Resource = Readonly<Partial<Record<Method, Handler>>>

/** Resources by path pattern, in Hono's syntax. One slash may follow each path. */
export function resourcesOf(service: RestService): ReadonlyMap<string, Resource> {
  return new Map<string, Resource>([
    ['/', { GET: (request) => listTables(service, request) }],
    ['/openapi.json', { GET: getOpenApi }],
    ['/version', { GET: getVersion }],
    ['/version/rest', { GET: getVersion }],
    ['/version/cluster', { GET: (request) => getClusterVersion(service, request) }],
    ['/status/cluster', { GET: (request) => getStatus(service, request) }],
    ['/namespaces', { GET: (request) => listNamespaces(service, request) }],
    [
      '/namespaces/:name',
      { ...changesOfNamespace(service), GET: (request, name) => getNamespace(service, request, name) },
    ],
    [
      '/namespaces/:name/tables',
      { ...changesOfNamespace(service), GET: (request, name) => namespaceTables(service, request, name) },
    ],
    ['/:name/exists', { GET: (request, name) => tableExists(service, request, name) }],
    ['/:name/regions', { GET: (request, name) => tableRegions(service, request, name) }],
    [
      '/:name/schema',
      {
        GET: (request, name) => getSchema(service, request, name),
        PUT: (request, name) => putSchema(service, request, name),
        POST: (request, name) => postSchema(service, request, name),
        DELETE: (request, name) => deleteSchema(service, request, name),
      },
    ],
    [
      '/:name/scanner',
      {
        PUT: (request, name) => createScanner(service, request, name),
        POST: (request, name) => createScanner(service, request, name),
      },
    ],
    [
      '/:name/scanner/:id',
      {
        GET: (request, _, id) => readScanner(service, request, id),
        DELETE: (request, _, id) => deleteScanner(service, request, id),
      },
    ],
  ])
}

/** QUIRK rest-tables-of-namespace-delete: PUT, POST and DELETE of a namespace's list of tables change the namespace. */
function changesOfNamespace(service: RestService): Omit<Resource, 'GET'> {
  return {
    PUT: (request, name) => alterNamespace(service, request, name),
    POST: (request, name) => createNamespace(service, request, name),
    DELETE: (request, name) => deleteNamespace(service, request, name),
  }
}
