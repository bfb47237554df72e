// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Forwards the native coin in the ways of exchanges and wallets.
contract Forwarder {
    function forward(address payable to) external payable {
        (bool sent, ) = to.call{value: msg.value}("");
        require(sent);
    }

    function split(address payable first, address payable second) external payable {
        (bool sent, ) = first.call{value: msg.value / 2}("");
        require(sent);
        (sent, ) = second.call{value: msg.value / 2}("");
        require(sent);
    }

    function forwardAndFail(address payable to) external payable {
        (bool sent, ) = to.call{value: msg.value}("");
        require(sent);
        revert("changed my mind");
    }

    /// The inner call pays and fails; the outer call succeeds.
    function tryAndGoOn(address payable to) external payable {
        try this.forwardAndFail{value: msg.value}(to) {} catch {}
    }

    /// Calls itself `depth` times, then pays.
    function dive(address payable to, uint256 depth) external payable {
        if (depth == 0) {
            (bool sent, ) = to.call{value: msg.value}("");
            require(sent);
        } else {
            this.dive{value: msg.value}(to, depth - 1);
        }
    }
}

/// Pays in its constructor and leaves no code.
contract Flash {
    constructor(address payable to) payable {
        (bool sent, ) = to.call{value: msg.value}("");
        require(sent);
        assembly {
            return(0, 0)
        }
    }
}

/// Destroys itself in its constructor: the recipient is paid without a call.
contract Bequest {
    constructor(address payable to) payable {
        selfdestruct(to);
    }
}
