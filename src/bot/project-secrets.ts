// A secret for each project's hook, derived from a master key: nothing to store, and what one project knows opens no other (DESIGN §6).
import { hkdfSync } from 'node:crypto'
import type { HookSecrets } from './secrets.ts'

/**
 * The secrets that a project's own address (`/hooks/<project id>`) takes: for each master key, newest first, a secret token and a
 * signing token. The two are derived apart: the token is sent in clear, and must tell nothing of the signing key.
 */
export function projectSecrets(masterKeys: readonly string[], project: number): HookSecrets {
  return {
    tokens: masterKeys.map((key) => derived(key, `bellhop hook token of project ${project}`).toString('base64url')),
    signing: masterKeys.map((key) => `whsec_${derived(key, `bellhop hook signing key of project ${project}`).toString('base64')}`),
  }
}

function derived(masterKey: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', masterKey, '', purpose, 32))
}
