/** Builds the OpenAPI 3.1 document of the door from its table of operations. */

import type { Answer } from '../http/answer.ts'
import { JSON_TYPE } from '../http/media-type.ts'
import { OPERATIONS } from './operations.ts'
import type { Operation } from './parts.ts'
import { type JsonSchema, SCHEMAS } from './schemas.ts'

export interface OpenApiOperation {
  readonly operationId: string
  readonly summary: string
  readonly parameters?: Operation['parameters']
  readonly requestBody?: { readonly content: Operation['body'] }
  readonly responses: Operation['answers']
}

export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
}

/** The version of the document. It changes with the door's operations, not with the server. */
const VERSION = '1.0.0'

let bytes: Buffer | undefined

export function getOpenApi(): Answer {
  bytes ??= Buffer.from(JSON.stringify(openApiDocument()))
  return { status: 200, contentType: JSON_TYPE, body: bytes }
}

export function openApiDocument(): OpenApiDocument {
  const paths = [...OPERATIONS].map(([path, { methods }]) => {
    const described = Object.entries(methods).map(
      ([method, operation]) => [method, openApiOperation(method, path, operation)] as const,
    )
    return [path, Object.fromEntries(described)] as const
  })
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tidegate REST',
      version: VERSION,
      description: "HBase's REST interface, and Tidegate's additions to it; docs/rest.md describes them.",
    },
    paths: Object.fromEntries(paths),
    components: { schemas: SCHEMAS },
  }
}

function openApiOperation(method: string, path: string, operation: Operation): OpenApiOperation {
  const { summary, parameters, body, answers } = operation
  return {
    operationId: operationId(method, path),
    summary,
    ...(parameters !== undefined && { parameters }),
    ...(body !== undefined && { requestBody: { content: body } }),
    responses: answers,
  }
}

/** The operation's id: `getTableRowColumns` for GET of `/{table}/{row}/{columns}`. */
function operationId(method: string, path: string): string {
  const words = path.split(/[^A-Za-z]+/).filter((word) => word !== '')
  const named = words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('')
  return method + (named === '' ? 'Tables' : named)
}
