// Settings: the hosting service.
import { setting } from './setting.ts'
import { apiToken, httpUrl, proxy, serviceName, tokenKind, trimmed } from './setting-values.ts'

export const service = {
  services: setting({
    variable: 'BELLHOP_SERVICES',
    doc: 'A YAML file that names several hosting services, each with address, token and secrets, in place of the settings of one; see docs/services.md.',
    example: '/etc/bellhop/services.yml',
    default: '',
    setWhen: 'one process serves several hosting services',
    read: trimmed,
  }),
  serviceUrl: setting({
    variable: 'BELLHOP_SERVICE_URL',
    doc: 'Address of the hosting service.',
    example: 'https://git.example.com',
    insteadOf: ['services'],
    setWhen: 'everyone',
    read: httpUrl,
  }),
  serviceToken: setting({
    variable: 'BELLHOP_SERVICE_TOKEN',
    doc: 'API token of the bot user (scope api).',
    secret: true,
    insteadOf: ['serviceTokenFile', 'services'],
    setWhen: 'everyone, unless a file has the token',
    read: apiToken,
  }),
  serviceTokenFile: setting({
    variable: 'BELLHOP_SERVICE_TOKEN_FILE',
    doc: 'A file with the API token, in place of BELLHOP_SERVICE_TOKEN; read before each request, so that a new token needs no restart.',
    default: '',
    setWhen: 'the token changes while the bot runs',
    read: trimmed,
  }),
  serviceTokenKind: setting({
    variable: 'BELLHOP_SERVICE_TOKEN_KIND',
    doc: 'How the token is sent: private (PRIVATE-TOKEN: personal, project and group access tokens) or bearer (Authorization: Bearer: tokens of OAuth).',
    default: 'private',
    setWhen: 'the token is one of OAuth',
    read: tokenKind,
  }),
  proxy: setting({
    variable: 'BELLHOP_PROXY',
    doc: 'Proxy to the service, http://[user:password@]host:port; or environment: the one of HTTPS_PROXY, HTTP_PROXY and NO_PROXY.',
    default: '',
    secret: true,
    setWhen: 'the service is behind a proxy',
    read: proxy,
  }),
  caFile: setting({
    variable: 'BELLHOP_CA_FILE',
    doc: 'A file with certificates (PEM) of further trusted authorities, for the service and its proxy, and for `bellhop hooks rotate`.',
    default: '',
    setWhen: 'a private authority signed the service’s certificate',
    read: trimmed,
  }),
  serviceName: setting({
    variable: 'BELLHOP_SERVICE_NAME',
    doc: 'The service’s name in logs, queue and journal; by default the host of its address.',
    default: '',
    setWhen: 'the service moves to another address',
    read: serviceName,
  }),
} as const
