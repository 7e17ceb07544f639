// The environment of the merge queue's git: no program of the machine and no host but the service.
import { gitEnvironment as safeEnvironment } from '../../../git/git-environment.ts'

/** How git reaches the service; all of it as the client of the API does. */
export interface ServiceAccess {
  /** Requests to other addresses get no token. */
  url: string
  token: string
  /** With user and password, if it needs them. */
  proxy?: string | undefined
  /** A file of trusted authorities (PEM). */
  authorities: string
}

/** Who made a commit. `at`: in seconds since 1970. */
export interface CommitIdentity {
  name: string
  email: string
  at: number
}

const safeConfig: Readonly<Record<string, string>> = {
  'core.attributesFile': '/dev/null',
  'core.fsmonitor': 'false',
  'protocol.allow': 'never',
  'protocol.http.allow': 'always',
  'protocol.https.allow': 'always',
  'http.followRedirects': 'false',
  'credential.helper': '',
  'gc.autoDetach': 'false',
  'pack.threads': '1',
  'pack.windowMemory': '100m',
  'submodule.recurse': 'false',
  'fetch.recurseSubmodules': 'false',
  'commit.gpgSign': 'false',
  'push.gpgSign': 'false',
  // Faults of old commits that services let in as well.
  'fetch.fsckObjects': 'true',
  'fetch.fsck.badTimezone': 'ignore',
  'fetch.fsck.missingSpaceBeforeDate': 'ignore',
  'fetch.fsck.zeroPaddedFilemode': 'ignore',
}

/** As a header, so that the token is in no argument, URL or file. */
export const basicOf = (token: string) => Buffer.from(`oauth2:${token}`).toString('base64')

export function gitEnvironment(given: {
  searchPath?: string | undefined
  access?: ServiceAccess | undefined
  identity?: CommitIdentity | undefined
}): NodeJS.ProcessEnv {
  const { searchPath, access, identity } = given
  return {
    ...(searchPath === undefined ? {} : { PATH: searchPath }),
    HOME: '/nonexistent',
    ...safeEnvironment({ ...safeConfig, ...(access === undefined ? {} : configOf(access)) }),
    ...(identity === undefined ? {} : identityOf(identity)),
  }
}

function configOf({ url, token, proxy, authorities }: ServiceAccess): Record<string, string> {
  return {
    [`http.${url}.extraHeader`]: `Authorization: Basic ${basicOf(token)}`,
    'http.sslCAInfo': authorities,
    'http.proxySSLCAInfo': authorities,
    ...(proxy === undefined ? {} : { 'http.proxy': proxy }),
  }
}

function identityOf({ name, email, at }: CommitIdentity): NodeJS.ProcessEnv {
  const date = `@${at} +0000`
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
    GIT_COMMITTER_DATE: date,
  }
}
