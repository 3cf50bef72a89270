import type { HBaseError } from '../../model/errors.ts'

/** As Node's messages of failed connections have the address. */
const ADDRESS = /\b(?:ECONNREFUSED|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH) (\S+:\d+)\b/
const NAME = /\b(?:ENOTFOUND|EAI_AGAIN) (\S+)/

/** The failure of a command whose server cannot be reached, with the server first; undefined for other failures. */
export function absentServerText({ message }: HBaseError): string | undefined {
  const address = ADDRESS.exec(message)?.[1]
  if (address !== undefined)
    return `nothing answers at ${address}: see whether the server is up, and reachable from here (${message})`
  const name = NAME.exec(message)?.[1]
  return name && `no address is known for the host ${name}: see how it is spelled (${message})`
}

/** The address of a server that a failed connection went to; undefined for other failures. */
export function unreachedPlace(reason: string): string | undefined {
  return ADDRESS.exec(reason)?.[1] ?? NAME.exec(reason)?.[1]
}
