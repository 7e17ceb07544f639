// Derives a secret for each project's hook from a master key: nothing is stored.
import { hkdfSync } from 'node:crypto'
import type { HookSecrets } from './hook-secrets.ts'

/**
 * The secrets of `/hooks/<project id>`: a secret token and a signing token per master key, newest first. They are
 * derived separately: the token is sent in clear text, and must not reveal the signing key.
 */
export function projectSecrets(masterKeys: readonly string[], project: number): HookSecrets {
  return {
    tokens: masterKeys.map((key) => derived(key, `bellhop hook token of project ${project}`).toString('base64url')),
    signing: masterKeys.map(
      (key) => `whsec_${derived(key, `bellhop hook signing key of project ${project}`).toString('base64')}`,
    ),
  }
}

function derived(masterKey: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', masterKey, '', purpose, 32))
}
