/** Advice for the messages of MIT's and Heimdal's libraries that operators meet most: what to look at. */

const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/clock skew/i, 'set the clocks of this machine, of the client and of the KDC'],
  [
    /cannot (?:contact|find|resolve).*(?:kdc|realm)|unable to reach any kdc/i,
    'look at [realms] in krb5.conf, and whether the KDC runs',
  ],
  [
    /can(?:'|no)t find client principal/i,
    'no ticket cache has a ticket of it: give --kerberos-keytab FILE, or get a ticket by kinit',
  ],
  [/client.*not found in kerberos database/i, 'the KDC does not know the principal that logs in'],
  [
    /server.*not found in kerberos database/i,
    "the KDC does not know the server's principal: look at hbase.master.kerberos.principal and hbase.regionserver.kerberos.principal, or HTTP/HOST for a web server; of a command at --server-principal",
  ],
  [
    /preauthentication failed|password incorrect|decrypt integrity check failed|no suitable keys|wrong principal in request/i,
    "the keytab's key is not that of the KDC: make the keytab anew, or look at its principals by klist -k FILE",
  ],
  [
    /key ?table|keytab/i,
    'look at the file and its principals by klist -k FILE, and whether the server may read it',
  ],
  [/ticket expired|credentials? (?:have|has) expired/i, 'renew the ticket by kinit, or use a keytab'],
  [
    /no (?:kerberos )?credentials|credentials? cache.*(?:not found|no)/i,
    'get a ticket by kinit, or use a keytab',
  ],
  [/request is a replay/i, 'the token was shown before, perhaps by one who has copied it'],
]

/** The advice in brackets, behind a space; empty where there is none for this message. */
export function adviceFor(message: string): string {
  const found = ADVICE.find(([pattern]) => pattern.test(message))
  return found === undefined ? '' : ` (${found[1]})`
}
