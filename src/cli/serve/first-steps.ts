/**
 * The first commands for a new server, as a person types them: where the console is, a request of REST, the shell. No line has a secret: curl and the
 * shell ask for the password, and the user replaces words in capitals.
 */

import { urlHost } from '../flags/bind-address.ts'
import { ownCommand } from '../machine/own-command.ts'
import { ANY_ADDRESS } from '../settings/advertise-options.ts'
import type { ServeSettings } from '../settings/serve-options.ts'
import { type Encryption, encryptionOf } from './certificate-of-users.ts'

type Settings = Pick<ServeSettings, 'host' | 'tls' | 'guard' | 'advertise'>
type Addresses = Readonly<Record<string, string>>

/** A request of REST. */
interface Asked {
  readonly path: string
  /** Undefined: any type of answer. */
  readonly accept?: string
}

/** The doors that the shell can use, the best one first. */
const SHELL_DOORS = ['rpc', 'zookeeper', 'rest', 'thrift'] as const
const DEFAULT_ZOOKEEPER = '127.0.0.1:2181'
/** An answer of REST that needs no table and no permission. */
const ASKED: Asked = { path: '/version/cluster' }

/** Prints to a terminal only: a program that reads stderr gets lines of JSON alone, and no line at all at the level `silent`. */
export function printFirstSteps(
  settings: Settings & Pick<ServeSettings, 'logLevel'>,
  addresses: Addresses,
): void {
  if (!process.stderr.isTTY || settings.logLevel === 'silent') return
  process.stderr.write(`\n${firstSteps(settings, addresses).join('\n')}\n\n`)
}

/** `command`: for tests. */
export function firstSteps(
  settings: Settings,
  addresses: Addresses,
  asked: Asked = ASKED,
  command: string = ownCommand(),
): string[] {
  const encryption = settings.tls && encryptionOf(settings.tls, namesOf(settings))
  const { web, rest } = addresses
  const scheme = encryption === undefined ? 'http' : 'https'
  const place = (address: string): string => placeOf(address, settings.host, encryption)
  const login = loginOf(settings)
  const lines: string[] = []
  if (isOn(web)) lines.push(`Console  ${scheme}://${place(web)}/console/`)
  if (isOn(rest)) {
    const accept = asked.accept && `-H 'Accept: ${asked.accept}'`
    const url = `'${scheme}://${place(rest)}${asked.path}'`
    lines.push(`REST     ${words('curl', encryption?.curl, login.curl, accept, url)}`)
  }
  const door = SHELL_DOORS.find((name) => isOn(addresses[name]))
  if (door !== undefined && login.shell !== undefined) {
    const isDefault = door === 'rpc' && addresses['zookeeper'] === DEFAULT_ZOOKEEPER && !encryption
    const address = isDefault ? '' : `--address ${door}:${place(addresses[door]!)}`
    lines.push(`Shell    ${words(command, 'shell', address, encryption?.shell, login.shell)}`)
  }
  lines.push('Stop     Ctrl-C')
  return lines
}

function isOn(address: string | undefined): address is string {
  return address !== undefined && address !== 'off'
}

function words(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join(' ')
}

/** The address that a client on this machine connects to, by a name that the certificate is for. */
function placeOf(address: string, host: string, encryption: Encryption | undefined): string {
  const port = address.slice(address.lastIndexOf(':') + 1)
  return `${urlHost(encryption?.name ?? reachable(host))}:${port}`
}

function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  return host === '::' ? '::1' : host
}

/** Names of this server, of which a certificate should have one: the likeliest first. */
function namesOf({ host, advertise }: Settings): readonly string[] {
  const bound = ANY_ADDRESS.has(host) ? [] : [host]
  return [...(advertise === undefined ? [] : [advertise.host]), ...bound, 'localhost', reachable(host)]
}

interface LoginWords {
  readonly curl: string
  /** Undefined: the shell has no such login. */
  readonly shell: string | undefined
}

function loginOf({ tls, guard }: Settings): LoginWords {
  const isAsked = tls !== undefined && tls.clientAuthorities.length > 0
  const mustShow = isAsked && !tls.areClientCertificatesOptional
  if (mustShow || (guard !== undefined && onlyCertificates(guard))) {
    return { curl: '--cert CERTIFICATE --key KEY', shell: '--tls-certificate CERTIFICATE --tls-key KEY' }
  }
  if (guard === undefined) return { curl: '', shell: '' }
  if (guard.users !== undefined) return { curl: '-u USER', shell: '--user USER' }
  if (guard.kerberos !== undefined) return { curl: '--negotiate -u :', shell: '--kerberos' }
  return { curl: '-H "Authorization: Bearer $TOKEN"', shell: undefined }
}

function onlyCertificates({
  users,
  kerberos,
  tokens,
  certificates,
}: NonNullable<Settings['guard']>): boolean {
  return certificates && users === undefined && kerberos === undefined && tokens === undefined
}
