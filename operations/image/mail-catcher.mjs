// Stands in for the mail catcher of compose.yaml, whose image comes from a registry: accepts every mail on 1025 and
// shows them on 8025 as JSON, `{ taken, begun }`. It waits before it accepts one, so that a test can end the sender
// meanwhile.

import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';

const THINKS = 2_000;
/** @type {string[]} */
const taken = [];
let begun = 0;

createServer((socket) => {
  let received = '';
  let inMail = false;
  const say = (/** @type {string} */ reply) => socket.write(`${reply}\r\n`);
  const answer = (/** @type {string} */ line) => {
    if (/^data/i.test(line)) {
      inMail = true;
      return say('354 Go on');
    }
    if (!/^quit/i.test(line)) return say('250 Yes');
    say('221 Goodbye');
    return socket.end();
  };
  const take = (/** @type {string} */ mail) => {
    begun += 1;
    setTimeout(() => {
      taken.push(mail.replaceAll('\r\n..', '\r\n.'));
      say('250 Taken');
    }, THINKS);
  };
  socket.setEncoding('latin1');
  socket.on('error', () => socket.destroy());
  socket.on('data', (/** @type {string} */ bytes) => {
    received += bytes;
    for (;;) {
      const end = received.indexOf(inMail ? '\r\n.\r\n' : '\r\n');
      if (end === -1) return;
      const piece = received.slice(0, end);
      received = received.slice(end + (inMail ? 5 : 2));
      if (inMail) {
        inMail = false;
        take(piece);
      } else answer(piece);
    }
  });
  say('220 Here');
}).listen(1025);

createHttpServer((_request, response) => {
  response.end(JSON.stringify({ taken, begun }));
}).listen(8025);
