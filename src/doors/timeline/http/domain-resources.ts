/** The resources of domains. */

import { javaTrim } from '../../../wire/text/java-trim.ts'
import type { AnswerDocument } from '../documents/document.ts'
import { readDomain } from '../documents/domain-reader.ts'
import type { TimelineService } from '../service/timeline-service.ts'
import { badRequest, forbidden, notFound } from './errors.ts'
import type { TimelineRequest } from './timeline-request.ts'

export async function putDomain(service: TimelineService, request: TimelineRequest): Promise<AnswerDocument> {
  const { user, call } = request
  const sent = readDomain(await request.json())
  if (user === undefined) throw forbidden('The owner of the posted timeline domain is not set')
  const { id } = sent ?? {}
  if (sent === undefined || id === undefined || id === '') throw badRequest("Domain doesn't have an ID")
  if (id.includes('\0') || user.includes('\0')) throw badRequest('the domain ID has a NUL character')
  const known = await service.domains.get(id, call)
  if (known !== undefined && !service.acls.owns(user, known)) {
    throw forbidden(`${user} is not allowed to override an existing domain ${id}`)
  }
  await service.domains.put({ ...sent, id, owner: known?.owner ?? user }, call)
  return { kind: 'response', errors: [] }
}

export async function getDomain(
  service: TimelineService,
  request: TimelineRequest,
  id: string,
): Promise<AnswerDocument> {
  if (id === '') throw badRequest('Domain ID is not specified.')
  const domain = await service.domains.get(id, request.call)
  if (domain === undefined || !service.acls.owns(request.user, domain))
    throw notFound(`Timeline domain [${id}] is not found`)
  return { kind: 'domain', domain }
}

export async function getDomains(
  service: TimelineService,
  request: TimelineRequest,
): Promise<AnswerDocument> {
  const { user, call } = request
  const stated = javaTrim(request.parameter('owner') ?? '')
  const owner = stated === '' ? user : stated
  if (owner === undefined) throw badRequest('Domain owner is not specified.')
  const domains = await service.domains.ofOwner(owner, call)
  return { kind: 'domains', domains: domains.filter((domain) => service.acls.owns(user, domain)) }
}
