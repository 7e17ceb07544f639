// Settings: the hosting service.
import { apiToken, httpUrl, proxy, setting, tokenKind, trimmed } from './setting.ts'

/** Names a file that is read before each request, and that `bellhop token rotate` writes. */
export const TOKEN_FILE = 'BELLHOP_SERVICE_TOKEN_FILE'

export const service = {
  serviceUrl: setting('BELLHOP_SERVICE_URL', httpUrl, {
    doc: 'Address of the hosting service.',
    example: 'https://git.example.com',
    default: undefined,
    setWhen: 'everyone',
  }),
  serviceToken: setting('BELLHOP_SERVICE_TOKEN', apiToken, {
    doc: 'API token of the bot user (scope api).',
    default: undefined,
    secret: true,
    setWhen: 'everyone',
  }),
  serviceTokenKind: setting('BELLHOP_SERVICE_TOKEN_KIND', tokenKind, {
    doc: 'How the token is sent: private (PRIVATE-TOKEN: personal, project and group access tokens) or bearer (Authorization: Bearer: tokens of OAuth).',
    default: 'private',
    setWhen: 'the token is one of OAuth',
  }),
  proxy: setting('BELLHOP_PROXY', proxy, {
    doc: 'Proxy to the service, http://[user:password@]host:port; or environment: the one of HTTPS_PROXY, HTTP_PROXY and NO_PROXY.',
    secret: true,
    setWhen: 'the service is behind a proxy',
  }),
  caFile: setting('BELLHOP_CA_FILE', trimmed, {
    doc: 'A file with certificates (PEM) of further trusted authorities, for the service and its proxy, and for `bellhop hooks rotate`.',
    setWhen: 'a private authority signed the service’s certificate',
  }),
} as const
