// How git works for merge queues: the same network as the client of the API.
import { resolve } from 'node:path'
import type { GitSettings } from '../../bot/merge-queue/git/open-repository.ts'
import { proxyFor } from '../service/proxy-for.ts'
import { trustedAuthorities } from '../service/service-fetch.ts'
import type { Config } from '../settings/settings.ts'

/** Throws UsageError for a proxy or a file of certificates that cannot be used. */
export function gitSettings(config: Config, environment: Record<string, string | undefined>): GitSettings {
  const { serviceUrl } = config
  return {
    serviceUrl,
    workDir: resolve(config.workDir),
    searchPath: environment.PATH,
    mostBytes: config.maxRepositorySize * 2 ** 20,
    proxy: proxyFor(new URL(serviceUrl), config.proxy, environment)?.href,
    authorities: trustedAuthorities(config.caFile, environment).join('\n'),
  }
}
