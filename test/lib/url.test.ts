// No part of a password is taken for a host, wherever the URL is given: configuration, files, environment, flags, prompt.

import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../src/config/load.ts'
import { proxiesOf } from '../../src/config/environment.ts'
import { BaseError } from '../../src/errors.ts'
import { readUrl, urlRemedy } from '../../src/lib/url.ts'
import { runCommand } from '../support/command.ts'

const REMEDY = /percent-encode the signs of a user and a password: \/ is %2F/
const AT = /; an @ behind the host is %40/

/** What a parser makes of them: host op, port 4711, and the rest in path, query and fragment. The host is meant to be `host`. */
const ended = [
  ['a slash', 'http://op:4711/x=@host:9650'],
  ['a question mark', 'http://op:4711?x=@host:9650'],
  ['a number sign', 'http://op:4711#x=@host:9650'],
  ['a backslash, which is a slash to a parser', String.raw`http://op:4711\x=@host:9650`],
  ['two slashes', 'http://op:4711//@host:9650'],
  ['a slash behind an encoded @', 'http://op:47%4011/x@host:9650'],
  ['an @ and a slash', 'http://op:47@11/x@host:9650'],
  ['a slash, without a password', 'http://4711/x@host:9650'],
  ['a slash, before a host of IPv6', 'http://op:4711/x@[::1]:9650'],
  ['a slash behind what is no port', 'http://op:secret/x@host:9650'],
  ['a slash at once', 'http:///x@host:9650'],
] as const

describe('a sign that ends the user part', () => {
  test.each(ended)('is refused with a remedy: %s', (_, url) => {
    expect(readUrl(url)).toBeUndefined()
    expect(urlRemedy(url)).toMatch(REMEDY)
    expect(urlRemedy(url)).toMatch(AT)
  })

  test.each([
    ['a blank', 'http://op:47 11@host'],
    ['a line end, as a file has it', 'http://op:4711\n@host'],
    ['a tab, which a parser drops', 'http://op:47\t11@host'],
  ])('so are signs that parsers drop or move: %s', (_, url) => {
    expect(readUrl(url)).toBeUndefined()
    expect(urlRemedy(url)).toMatch(REMEDY)
  })

  test.each([
    ['no user', 'http://host:9650/path?key=1', 'host:9650', '', ''],
    ['a user and a password', 'http://op:4711@host', 'host', 'op', '4711'],
    ['a user alone', 'http://op@host', 'host', 'op', ''],
    ['a password alone', 'http://:4711@host', 'host', '', '4711'],
    ['several @, of which the last counts', 'http://o@p:47@11@host', 'host', 'o%40p', '47%4011'],
    ['the signs, encoded', 'http://op:4711%2Fx%3F%23%40@host', 'host', 'op', '4711%2Fx%3F%23%40'],
    ['an @ behind the host, encoded', 'http://op:4711@host/%40team?mail=a%40b', 'host', 'op', '4711'],
    ['a host of IPv6', 'http://op:4711@[2001:db8::1]:9650/', '[2001:db8::1]:9650', 'op', '4711'],
    ['a colon in the password', 'http://op:47:11@host', 'host', 'op', '47%3A11'],
  ])('all else is read as it is written: %s', (_, url, host, username, password) => {
    expect(readUrl(url)).toMatchObject({ host, username, password })
  })

  test.each(['ftp://op:4711@host', 'host:9650', 'http:op@host', 'http:/op@host', String.raw`http:\\op@host`, ''])(
    'what is no URL of HTTP is refused: %s',
    (url) => expect(readUrl(url)).toBeUndefined(),
  )
})

describe('a configuration', () => {
  const refusalOf = (yaml: string, env: Record<string, string> = {}, file = '') => {
    try {
      loadConfig(yaml, { file: 'c', env, readFile: () => file, collectors: [] })
    } catch (error) {
      if (error instanceof BaseError) return error.message
      throw error
    }
    return ''
  }
  const node = (line: string) => `networks: [{ name: fuji, nodes: [{ name: a, ${line} }] }]`

  test.each([
    ['a node', node('url: "http://op:4711/SECRET=@10.0.0.5:9650"')],
    ['the data service', 'networks: [{ name: fuji, data_api: { url: "https://op:4711?SECRET@data.example" } }]'],
    ['the metrics service', 'networks: [{ name: fuji, metrics_api: { url: "https://op:4711#SECRET@data.example" } }]'],
    ['a proxy', node('url: "http://10.0.0.5", proxy: "http://op:4711/SECRET@proxy:3128"')],
    ['a variable in it', node('url: "http://op:${PASS}@10.0.0.5:9650"')],
    ['a variable in a proxy', node('url: "http://10.0.0.5", proxy: "http://op:${PASS}@proxy:3128"')],
    ['a variable that holds all of it', node('url: "${URL}"')],
    ['a file', node('url_file: key')],
    ['a file of a proxy', node('url: "http://10.0.0.5", proxy_file: key')],
  ])('is refused, without a part of it: %s', (_, yaml) => {
    const env = { PASS: '4711/SECRET=', URL: 'http://op:4711/SECRET=@10.0.0.5:9650' }
    const said = refusalOf(yaml, env, 'http://op:4711/SECRET@10.0.0.5:9650\n')
    expect(said).toMatch(REMEDY)
    expect(said).not.toMatch(/SECRET|4711/)
  })
})

test.each([
  ['a slash', 'http://op:4711/SECRET@proxy:3128'],
  ['no scheme', 'op:4711/SECRET@proxy:3128'],
  ['a question mark', 'http://op:4711?SECRET@proxy:3128'],
  ['a number sign', 'op:4711#SECRET@proxy:3128'],
  ['a backslash', String.raw`http://op:4711\SECRET@proxy:3128`],
  ['a percent sign', 'http://op:SECRET%@proxy:3128'],
])('a proxy of the environment is refused, without a part of it: %s', (_, url) => {
  for (const name of ['http_proxy', 'HTTPS_PROXY']) {
    expect(() => proxiesOf({ [name]: url })).toThrow(REMEDY)
    expect(() => proxiesOf({ [name]: url })).not.toThrow(/SECRET|4711/)
  }
})

const URL_WITH_SLASH = "http://op:4711/it's/SECRET@127.0.0.1:9650"
test.each([
  ['top', '--url'],
  ['drill', '--prometheus'],
  ['drill', '--alertmanager'],
  ['silence', '--alertmanager'],
  ['silence', '--url'],
  ['doctor', '--grafana'],
  ['report', '--prometheus'],
  ['backtest', '--prometheus'],
  ['query', 'info.getNodeVersion', '--url'],
  ['admin', 'loadVMs', '--url'],
  ['init', '--node-url'],
  ['watch', '--node-url'],
  ['serve', '--web.external-url'],
  ['alerts', '--runbook-base'],
  ['alerts', '--dashboard-base'],
])('a flag is refused, without a part of it: %s %s', async (...words) => {
  for (const given of [URL_WITH_SLASH, URL_WITH_SLASH.replace('http://', '')]) {
    const [flag] = words.slice(-1)
    const { code, stderr } = await runCommand([...words.slice(0, -1), `${flag}=${given}`])
    expect([code, stderr]).toEqual([1, expect.stringMatching(/expected (a URL|an http)/i)])
    expect(stderr).not.toMatch(/SECRET|4711/)
  }
})
